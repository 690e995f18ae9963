import type { FindingCatalogue } from './finding-wording.ts';

/** What a person reads about findings, in Simplified Chinese. */
export const zhCN = {
  rules: {
    'legacy-field': {
      message: '{field} 是旧版本的字段名，现在叫 {now}。',
      hint: '改名为 {now}。',
      meaning: '字段还在用 Chorus 0.4 之前的名字，接收方已不再识别。',
    },
    'wrong-version': {
      message: 'chorus_version 是 "{given}"，应为 "{expected}"。',
      hint: '确认其余内容符合 Chorus {expected} 后，改为 "{expected}"；其他版本会被拒绝。',
      meaning: '版本不是当前协议的版本，接收方会拒绝。',
    },
    'misspelt-field': {
      message: '必填字段 {meant} 写成了 {field}。',
      hint: '改名为 {meant}。',
      meaning: '必填字段的名字拼错了，对接收方来说等于缺失。',
    },
    'missing-field': {
      message: '缺少字段 {field}。',
      hint: '',
      meaning: '缺少必填字段，接收方会拒绝。',
    },
    'wrong-type': {
      message: '{field} 应为{expected}，实际为{given}。',
      hint: '',
      meaning: '值的类型不对，例如该写字符串的地方写了数字，接收方会拒绝。',
    },
    length: {
      message: '{field} {requirement}。',
      hint: '',
      meaning: '文本为空、太短或太长，不符合该字段的要求，接收方会拒绝。',
    },
    'address-form': {
      message: '{field} 的值 "{given}" 不是有效的地址。',
      hint: '写成 name@host，两边只能用英文字母、数字以及 "."、"_"、"-"。',
      meaning: '地址没有写成 name@host 的形式，消息无法送达。',
    },
    'culture-form': {
      message: '{field} 的值 "{given}" 不是有效的语言标签。',
      hint: '语言用小写，需要时加上大写的地区，例如 "ja"、"zh-CN"、"pt-BR"。',
      meaning: '文化没有写成 "ja"、"zh-CN" 这样的语言标签，接收方无法判断是哪种语言。',
    },
    range: {
      message: '{field} 是 {given}，不能小于 {min}。',
      hint: '',
      meaning: '数字小于该字段允许的最小值，接收方会拒绝。',
    },
    choice: {
      message: '{field} 的值 "{given}" 无效，可用的值：{available}。',
      hint: '',
      meaning: '值不在该字段允许的范围内，别人无法理解。',
    },
    'date-form': {
      message: '{field} 的值 "{given}" 不是带时区的日期时间。',
      hint: '写成 2026-11-18T09:30:00Z 这样的形式。',
      meaning: '时间缺少日期或时区，或者根本不存在，各方的理解会不一致。',
    },
    'url-form': {
      message: '{field} 的值 "{given}" 不是有效的网址。',
      hint: '写出完整的网址，以 https:// 或 http:// 开头。',
      meaning: '网址不是完整的 http 或 https 地址，无法访问。',
    },
    'key-form': {
      message: '{field} 不是 hub 发放的密钥。',
      hint: '填写注册时 hub 给的密钥，它以 "ca_" 开头。',
      meaning: '密钥不像是 hub 发放的，会被 hub 拒绝；密钥的值绝不会显示出来。',
    },
    'card-version-field': {
      message: '智能体名片的版本应写在 card_version 里，而不是 chorus_version。',
      hint: '删除 chorus_version，并把 card_version 设为 "{expected}"。',
      meaning: '智能体名片沿用旧写法，用了信封的版本字段，而不是自己的版本字段。',
    },
    'language-list': {
      message: 'supported_languages 里只能是语言标签。',
      hint: '例如 ["zh-CN", "en"]。',
      meaning: '智能体名片列出的语言中，有的没有写成 "ja"、"zh-CN" 这样的语言标签。',
    },
    'error-without-code': {
      message: '响应报告了错误，却没有 error_code。',
      hint: '加上 error_code：INVALID_ENVELOPE、UNSUPPORTED_VERSION 或 ADAPTATION_FAILED。',
      meaning: '错误响应缺少 error_code，发送方无从得知出了什么问题。',
    },
    'a2a-without-envelope': {
      message: '这条 A2A 消息的各个部分里都没有信封。',
      hint: '把信封放进某个部分的 "data"，该部分的 mediaType 为 "{mediaType}"。',
      meaning: 'A2A 消息里没有信封，接收方收不到任何内容。',
    },
    'field-typo': {
      message: '字段 {field} 可能是 {meant} 的笔误。',
      hint: '改名为 {meant}。',
      meaning: '未知字段与某个可选字段的名字非常接近，接收方会忽略它。',
    },
    'turn-without-conversation': {
      message: '有 turn_number，却没有 conversation_id。',
      hint: '加上这一轮所属对话的 conversation_id，或去掉 turn_number。',
      meaning: '轮次不属于任何对话，接收方无法使用。',
    },
    'conversation-without-turn': {
      message: '有 conversation_id，却没有 turn_number。',
      hint: '加上 turn_number：比对话中最新的一条大 1，第一条则为 1。',
      meaning: '对话中的消息没有轮次，重复送达时接收方无法识别。',
    },
    'receiver-in-envelope': {
      message: '接收方的地址不应写在信封里。',
      hint: '把 receiver_id 从信封移到发送信封的请求里。',
      meaning: '信封里写了接收方；投递只看外层的请求，不看这里。',
    },
    'unknown-culture': {
      message: '"{given}" 中的语言或地区不存在。',
      hint: '检查是否写错：日语是 "ja"，不是 "jp"；中文是 "zh"，不是 "cn"。',
      meaning: '标签格式正确，但其中的语言或地区不存在，多半是写错了。',
    },
    'context-script': {
      message: 'cultural_context 几乎没有用 {culture} 的文字书写。',
      hint: '用发送方的语言书写。',
      meaning: '文化背景说明用的似乎不是发送方的语言。',
    },
    'reply-marker': {
      message: 'original_text 里有 {marker}，这是只供己方使用的标记。',
      hint: '删除该标记，以及说给己方用户的内容。',
      meaning: '发送程序的内部标记留在了正文里，对方会看到。',
    },
    'slash-command': {
      message: 'original_text 只有一个命令 {given}。',
      hint: '如果不是想让对方读到它，就删除：接收方只把它当文本显示，绝不执行。',
      meaning: '整条消息只是 /new 之类的命令，多半是本想发给自己的程序，却误发了出去。',
    },
    'hidden-characters': {
      message: '文本里有看不见的字符（{character}）。',
      hint: '如果不是有意加入的，就删除。',
      meaning: '文本里有不可见字符，可能隐藏内容或打乱显示顺序。',
    },
    'lone-surrogate': {
      message: '文本里有半个字符。',
      hint: '写完整的字符，或将其删除；文本从表情符号中间截断时常会这样。',
      meaning: '文本里有不成对的代理项，也就是半个字符，传送时会丢失或损坏。',
    },
    'placeholder-sender': {
      message: '"{given}" 是示例里的那种地址。',
      hint: '填写你注册时的地址。',
      meaning: '发送方用的是文档示例里的地址，收不到回复。',
    },
    'needless-context': {
      message: '双方文化相同，却写了 cultural_context。',
      hint: '去掉即可。',
      meaning: '示例中双方文化相同，不需要解释文化背景。',
    },
    'extra-field': {
      message: '协议里没有字段 {field}。',
      hint: '如果接收方不需要，就删除。',
      meaning: '信封里有协议之外的字段；协议允许，但有些 hub 会拒绝。',
    },
    'long-text': {
      message: 'original_text 长 {length} 个 UTF-16 码元，有些 hub 最多接受 {max} 个。',
      hint: '分成几条消息发送，或先确认你的 hub 能接受。',
      meaning: '正文长度超过了一些 hub 的上限，会被拒绝。',
    },
    'json-syntax': {
      message: '不是有效的 JSON：这里应为{expected}，实际为{found}。',
      hint: 'JSON 不能有注释，最后一项后面不能有逗号，引号只能用双引号。',
      meaning: '文本不是有效的 JSON，内容无法读取。',
    },
    'invalid-utf8': {
      message: '从这里起的字节不是 UTF-8 文本。',
      hint: '另存为 UTF-8。',
      meaning: '文件不是 UTF-8 编码，无法准确读取其中的字符。',
    },
    'duplicate-key': {
      message: '字段 {field} 重复出现。',
      hint: '只保留一个。',
      meaning: '同一个对象里有重复的字段，不同程序读到的值可能不同。',
    },
    'unknown-document': {
      message: '这不是 Chorus 认识的文档。应为：{kinds}。',
      hint: '文档应是 JSON 对象；信封有 chorus_version、sender_id、original_text 和 sender_culture。',
      meaning: '内容不属于任何一种 Chorus 文档，无法检查。',
    },
    schema: {
      message: '不符合 schema：{detail}（{keyword}）。',
      hint: '',
      meaning: '值不符合你指定的 schema。',
    },
    'byte-order-mark': {
      message: '文件以字节顺序标记开头。',
      hint: '另存为不带 BOM 的 UTF-8。',
      meaning: '文件开头有不可见的字节顺序标记（BOM），许多程序会因此无法读取 JSON。',
    },
    'turn-order': {
      message: 'turn_number 是 {turn}，但对话 "{conversation}" 已经到了 {previous}。',
      hint: '每条消息的轮次都应比之前最新的一条大 1。',
      meaning: '对话的轮次没有递增，接收方可能把消息当作重复而丢弃。',
    },
  },
  expectations: {
    value: '一个值',
    key: '带双引号的字段名',
    colon: '冒号',
    'comma-or-brace': '逗号或“}”',
    'comma-or-bracket': '逗号或“]”',
    end: '文本结尾',
    'string-end': '字符串结尾的双引号',
    escape: '有效的转义序列（如 \\n、\\"、\\u00e9）',
  },
  found: {
    character: '“{character}”',
    invisible: '不可见字符 {code}',
    nothing: '文本结尾',
    lineBreak: '换行',
    tab: '制表符',
    doubleQuote: '双引号',
  },
  types: {
    string: '字符串（"…"）',
    integer: '整数',
    number: '数字',
    boolean: '布尔值（true 或 false）',
    array: '数组（[…]）',
    object: '对象（{…}）',
    null: '空值（null）',
    fraction: '小数',
  },
  lengths: {
    notEmpty: '不能为空',
    atLeast: '至少要有 {min} 个字符',
    atMost: '不能超过 {max} 个字符',
    between: '应为 {min} 到 {max} 个字符',
  },
} as const satisfies FindingCatalogue;
