import type { Finding, FindingWording } from '../diagnostics/finding.ts';

const MAX_DETAIL = 500;

export type ProtocolResponse =
  | { status: 'ok' }
  | { status: 'error'; error_code: 'INVALID_ENVELOPE' | 'UNSUPPORTED_VERSION'; detail: string };

/** What an agent sends back for an envelope with these findings. */
export function createResponse(
  findings: readonly Pick<Finding, 'rule' | 'severity' | 'args'>[],
  wording: FindingWording,
): ProtocolResponse {
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return { status: 'ok' };
  // An unknown version wins over whatever else is wrong.
  const version = errors.find(({ rule }) => rule === 'wrong-version');
  const told = version === undefined ? errors : [version];
  return {
    status: 'error',
    error_code: version === undefined ? 'INVALID_ENVELOPE' : 'UNSUPPORTED_VERSION',
    detail: told
      .map((finding) => wording.message(finding))
      .join(' ')
      .slice(0, MAX_DETAIL),
  };
}
