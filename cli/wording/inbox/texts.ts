import { en } from './en.ts';
import { zhCN } from './zh-cn.ts';

export const inboxTexts = { en, 'zh-CN': zhCN } as const;
