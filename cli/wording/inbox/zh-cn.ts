import type { en } from './en.ts';

export const zhCN = {
  'inbox.description':
    '接收上次以来的新消息：逐条校验，写入历史记录，然后交付。不指定交付方式时，直接打印消息。退出码 0：全部交付，1：没有全部交付，或无法访问 hub。',
  'inbox.follow': '持续运行，消息一到就交付',
  'inbox.exec':
    '每条消息运行一次这个程序，消息以 JSON 从标准输入传入；退出码 0 表示已接收。不经过 shell',
  'inbox.webhook': '把每条消息 POST 到这个地址；返回 2xx 表示已接收',
  'inbox.openclaw':
    '把每条消息 POST 给本机的 OpenClaw（/hooks/agent；令牌取自 {variable} 或其配置）',
  'inbox.timeout': '交付超过这么多秒仍未完成即视为失败（默认 {seconds}）',
  'inbox.json': '每条消息和每个事件输出一行 JSON',
  'inbox.connected': '正在以 {agent} 的身份监听 {hub}。',
  'inbox.lost': '未连接：{reason}{seconds} 秒后重试。',
  'inbox.ended': 'hub 关闭了连接。',
  'inbox.refusal': 'hub 返回了 {status} {code}。',
  'inbox.invalid': '来自 {sender} 的一条消息无效，已另存到 {file}：{code}：{detail}',
  'inbox.somebody': '未知发送方',
  'inbox.repeated': '来自 {sender} 的一条消息与之前的重复（对话和轮次相同），已丢弃。',
  'inbox.full': '还有 {count} 条消息尚未交付；等这些被接收后再继续获取。',
  'inbox.failed': '交付 {sender} 的消息 {trace} 失败：{reason}。',
  'inbox.retry': '{seconds} 秒后重试。',
  'inbox.next-run': '已保留，下次运行时再交付。',
  'inbox.reason-exit': '命令的退出码为 {code}',
  'inbox.reason-signal': '命令被信号 {signal} 终止',
  'inbox.reason-not-started': '命令无法启动（{detail}）',
  'inbox.reason-timeout': '{seconds} 秒后仍未完成',
  'inbox.reason-status': '返回了 HTTP {status}',
  'inbox.reason-refused': '对方拒收（{detail}）',
  'inbox.nothing': '没有新消息。',
  'inbox.reply': '回复：{command}',
  'inbox.context': '背景：{text}',
} as const satisfies Record<keyof typeof en, string>;
