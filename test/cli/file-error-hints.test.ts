import { expect, it } from 'vitest';
import { en } from '../../cli/wording/errors/en.js';
import { zhCN } from '../../cli/wording/errors/zh-cn.js';

const FILE_ERRORS = [
  'not-a-folder',
  'not-a-file',
  'symbolic-link',
  'broken-link',
  'no-permission',
  'disk-full',
  'file-error',
] as const;

// Every command that writes can fail like this, and they do not share their options.
it.each(FILE_ERRORS)('names no option in the hint of %s', (code) => {
  expect(en[`hint.${code}`]).not.toContain('--');
  expect(zhCN[`hint.${code}`]).not.toContain('--');
});
