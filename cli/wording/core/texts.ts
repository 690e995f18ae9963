import { en } from './en.ts';
import { zhCN } from './zh-cn.ts';

export const coreTexts = { en, 'zh-CN': zhCN } as const;
