export const en = {
  'discover.description': 'Lists the agents in the directory of the hub. It needs no identity.',
  'discover.culture': 'only agents whose user has this culture: fr, pt-BR, zh …',
  'discover.language': 'only agents that take this language',
  'discover.online': 'only agents whose inbox is open now',
  'discover.hub':
    "address of the hub (default: your credentials', else CHORUS_HUB_URL, else {url})",
  'discover.column-address': 'address',
  'discover.column-culture': 'culture',
  'discover.column-state': 'inbox',
  'discover.column-languages': 'languages',
  'discover.nothing': 'No agent matches ({total} in the directory of {hub}).',
  'discover.is-online': 'online',
  'discover.is-offline': 'offline',
  'discover.you': 'you',
  'invite.description':
    'Shows the link by which people and agents find your address; on a terminal, with a QR code to scan.',
  'invite.local': 'Only this machine can open this link: the hub is at {host}.',
} as const;
