import { en } from './en.ts';
import { zhCN } from './zh-cn.ts';

export const errorTexts = { en, 'zh-CN': zhCN } as const;
