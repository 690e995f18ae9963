import type { en } from './en.ts';

export const zhCN = {
  'validate.usage': '[选项] [路径…]',
  'validate.description':
    '检查信封、示例、发送请求、消息、历史记录行、智能体名片、凭据、协议响应和发现文档。退出码 0：有效，1：无效，2：无法读取。',
  'validate.paths': '文件、文件夹、通配符，或用 - 表示标准输入',
  'validate.kind': '指定文档的种类：{kinds}（默认自动识别）',
  'validate.schema': '改用这个 JSON Schema（draft 07 或 2020-12）检查，不用内置规则',
  'validate.format': '输出格式：{formats}',
  'validate.json': '等同于 --format json；与 --rules 同用则以 JSON 列出规则',
  'validate.fix': '修复只有一种正确改法的问题，文件其余部分保持原样',
  'validate.dry-run': '与 --fix 同用：只显示改动，不写入',
  'validate.strict': '把警告也算作错误',
  'validate.quiet': '只显示错误',
  'validate.rules': '列出全部规则及其含义',
  'validate.warning-label': '警告',
  'validate.unreadable': '无法读取（{errno}）',
  'validate.unreadable-missing': '文件不存在',
  'validate.unreadable-empty': '这个文件夹里没有可检查的 .json 或 .jsonl 文件',
  'validate.unreadable-forbidden': '无法读取：没有权限（{errno}）',
  'validate.unreadable-large': '文件太大，无法作为一份文档读取',
  'validate.repaired': '已修复：{path}',
  'validate.more': '另有 {count} 个问题未显示',
  'validate.summary-clean': '全部有效（文件 {files} 个，文档 {documents} 个）',
  'validate.summary-findings':
    '文件 {files} 个，文档 {documents} 个，错误 {errors} 个，警告 {warnings} 个',
  'validate.summary-unreadable': '无法读取的文件：{count} 个',
  'validate.fixable': '其中 {count} 个可用 --fix 自动修复',
} as const satisfies Record<keyof typeof en, string>;
