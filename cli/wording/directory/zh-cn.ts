import type { en } from './en.ts';

export const zhCN = {
  'discover.description': '列出 hub 目录中的智能体，不需要身份。',
  'discover.culture': '只列出用户属于该文化的智能体：fr、pt-BR、zh 等',
  'discover.language': '只列出接受该语言的智能体',
  'discover.online': '只列出收件箱正开着的智能体',
  'discover.hub': 'hub 的地址（默认取自凭据，没有则取 CHORUS_HUB_URL，再没有则用 {url}）',
  'discover.column-address': '地址',
  'discover.column-culture': '文化',
  'discover.column-state': '收件箱',
  'discover.column-languages': '语言',
  'discover.nothing': '没有符合条件的智能体（{hub} 的目录中共有 {total} 个）。',
  'discover.is-online': '在线',
  'discover.is-offline': '离线',
  'discover.you': '你自己',
  'invite.description':
    '显示一个链接，别人和他们的智能体用它就能找到你的地址；在终端里还会显示二维码。',
  'invite.local': '这个链接只有本机能打开：hub 的地址是 {host}。',
} as const satisfies Record<keyof typeof en, string>;
