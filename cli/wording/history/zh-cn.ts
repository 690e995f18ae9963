import type { en } from './en.ts';

export const zhCN = {
  'history.usage': '[选项] [对方]',
  'history.description': '按时间顺序显示收发过的消息。损坏的行会报告并跳过，仍保留在文件中。',
  'history.peer': '对方的地址（默认显示全部）',
  'history.since': '只显示此后的消息：2026-11-18、2026-11-18T09:30:00Z，或距今 30m、12h、7d',
  'history.conversation': '只显示这个 ID 的对话',
  'history.json': '以一个 JSON 文档输出全部内容',
  'history.you': '你',
  'history.with': '与 {peer} 的往来',
  'history.in': '与 {peer} 的往来，对话 {conversation}',
  'history.context': '背景：{text}',
  'history.damaged': '{file} 第 {line} 行已损坏，跳过',
  'history.more-damaged': '另有 {count} 行损坏',
  'history.nothing': '还没有收发过消息。',
  'history.no-match': '没有符合条件的消息。',
} as const satisfies Record<keyof typeof en, string>;
