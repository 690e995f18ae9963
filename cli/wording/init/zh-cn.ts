import type { en } from './en.ts';

export const zhCN = {
  'init.description':
    '把 Chorus 技能（SKILL、PROTOCOL、TRANSPORT、schema、示例）写入一个你的智能体能读到的文件夹。',
  'init.lang': '文档语言：{languages}',
  'init.dir': '写入的文件夹（默认 chorus）',
  'init.dry-run': '只显示将要做什么，不改动任何文件',
  'init.force': '替换已有文件夹里属于 Chorus 的文件，你的其他文件保持不动',
  'init.yes': '不提问，直接采用建议值',
  'init.ask-language': '文档用哪种语言？（↑/↓ 选择，回车确认）',
  'init.ask-targets': '让哪些智能体学会 Chorus？（↑/↓ 移动，空格选择，回车确认）',
  'init.choice-local': '普通文件夹 ./chorus',
  'init.ask-scope': '只用于当前项目，还是你的所有项目？（↑/↓ 选择，回车确认）',
  'init.choice-project': '当前项目',
  'init.choice-user': '我的所有项目',
  'init.ask-agent': '装给 OpenClaw 的哪个智能体？（↑/↓ 选择，回车确认）',
  'init.done': 'Chorus 技能 {protocol}（{language}）已写入 {dir}',
  'init.planned': 'Chorus 技能 {protocol}（{language}）将写入 {dir}。本次未做任何改动。',
  'init.hosts-done': 'Chorus 技能 {protocol}（{language}）已安装：',
  'init.hosts-planned': 'Chorus 技能 {protocol}（{language}）将安装到以下位置。本次未做任何改动。',
  'init.real-path': '{dir} 经过符号链接，文件实际位于 {real}',
  'init.same': '已是最新',
  'init.note': '（{note}）',
  'init.next-title': '下一步：',
  'init.next': '对你的智能体说：“阅读 {skill} 并照做。”',
  'init.hosts-next': '在 {hosts} 里新开一个会话，说：“使用 chorus 技能。”',
  'init.skip-prompts': '下次要跳过提问，可以直接运行：{command}',
} as const satisfies Record<keyof typeof en, string>;
