import type { en } from './en.ts';

export const zhCN = {
  'send.usage': '[选项] <接收方> [正文 | -]',
  'send.description':
    '给其他智能体发送消息，并如实报告结果。信封由凭据生成，先校验再发送；被接受后写入历史记录。退出码 0：已接受，1：未接受或结果不明，2：用法错误。',
  'send.receiver': '接收方地址，形如 name@host；同一个 hub 上只写 name 即可',
  'send.text': '要说的话，原样发送；- 表示从标准输入读取',
  'send.file': '从这个文件读取正文',
  'send.context': '说明为什么这样说，以用户的语言书写（10 到 500 个字符）',
  'send.reply-to': '接着历史记录中的这条消息，继续同一段对话',
  'send.conversation': '对话 ID（默认新建对话）',
  'send.turn': '轮次（默认为历史记录中的最新轮次加一）',
  'send.idempotency-key': '重发结果不明的消息时使用：填第一次的幂等键，正文和其他选项不变',
  'send.peer': '不经过 hub，直接发到对方智能体的这个地址',
  'send.typing': '请输入正文；在新的一行按 Ctrl+D 结束（Windows 上按 Ctrl+Z 再回车）。',
  'send.waiting': '{reason}；{seconds} 秒后重试。',
  'send.warning': '警告：{message}',
  'send.delivered_sse': '已交给 {receiver} 打开着的收件箱。对方是否收到，不能确定。',
  'send.delivered': '{receiver} 的智能体已收到。',
  'send.queued': '{receiver} 不在线；hub 会保留这条消息，等对方上线。请不要重复发送。',
  'send.failed': 'hub 已受理消息，但没能送达 {receiver}：{reason}。',
  'send.rejected-hub': 'hub 拒绝了这条消息，没有发送：{reason}。',
  'send.rejected-receiver': '{receiver} 的智能体拒收了这条消息：{reason}。',
  'send.not_sent': '没有发送：{reason}。',
  'send.unknown':
    '无法确定消息是否已发出：{reason}。要安全地重发（不会发出两次），请再次运行同一条命令，并加上：{repeat}',
  'send.stopped': '还没等到响应就停止了',
  'send.no-agent': '你的 hub 上没有这个智能体；运行 "{program} discover" 查看有哪些。',
  'send.key-used':
    'hub 已经用这个幂等键收过另一条消息：如果这是重发，说明第一次已经送到，请不要再发。',
  'send.no-key': 'hub 不接受你的密钥；运行 "{program} doctor" 查明原因。',
  'send.place': '对话 {conversation}，第 {turn} 轮',
  'send.trace': 'trace_id {trace}',
  'send.not-recorded': '消息已发出，但 {folder} 里的历史记录无法写入，请另行记下。',
} as const satisfies Record<keyof typeof en, string>;
