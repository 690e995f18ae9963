import type { Finding, FindingWording } from '../diagnostics/finding.ts';
import { checkDocument, type LocatedProblem } from '../envelope/check-document.ts';
import type { Kind } from '../envelope/kinds.ts';
import { createResponse, type ProtocolResponse } from '../envelope/protocol-response.ts';

export type EnvelopeFinding = Pick<Finding, 'rule' | 'severity' | 'args'> & { field: string };

/** What `validate` would say of it. */
export function checkEnvelope(value: unknown, kind: Kind = 'envelope'): EnvelopeFinding[] {
  const problems: LocatedProblem[] = [];
  checkDocument(value, '', () => kind, problems);
  return problems.map(({ rule, severity, args = {}, field = '' }) => ({
    rule,
    severity,
    args,
    field: String(field),
  }));
}

/** The protocol response to an envelope that does not validate; nothing for one that does. */
export function refuseEnvelope(
  envelope: unknown,
  wording: FindingWording,
): Exclude<ProtocolResponse, { status: 'ok' }> | undefined {
  const findings = checkEnvelope(envelope);
  if (!findings.some(({ severity }) => severity === 'error')) return undefined;
  const response = createResponse(findings, wording);
  return response.status === 'error' ? response : undefined;
}
