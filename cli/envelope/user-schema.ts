import { Ajv, type AnySchema, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { LocatedProblem } from './check-document.ts';
import { schemaUris } from './schema-uris.ts';

/** Checks values against a schema of the user's; draft 2020-12 unless it says 07. */
export function compileSchema(
  schema: AnySchema,
): (value: unknown, pointer: string) => LocatedProblem[] {
  const isDraft07 = typeof schema === 'object' && /draft-0[67]/.test(String(schema.$schema));
  const options = {
    allErrors: true,
    strict: false,
    validateFormats: false,
    logger: false,
    uriResolver: schemaUris,
  } as const;
  const ajv = isDraft07 ? new Ajv(options) : new Ajv2020(options);
  const validate = ajv.compile(schema);
  return (value, pointer) => {
    try {
      return validate(value) ? [] : (validate.errors ?? []).map((it) => toProblem(it, pointer));
    } catch (error) {
      // A schema that refers to itself follows the value as deep as that goes.
      if (!(error instanceof RangeError)) throw error;
      const args = { keyword: '$ref', detail: 'is nested too deeply to be checked' };
      return [{ rule: 'schema', severity: 'error', pointer, args }];
    }
  };
}

function toProblem(
  { instancePath, keyword, message, params }: ErrorObject,
  pointer: string,
): LocatedProblem {
  // Where ajv speaks of a member or of values without naming them.
  const field = params.additionalProperty ?? params.unevaluatedProperty;
  const values = params.allowedValues ?? params.allowedValue;
  const given = field ?? values;
  return {
    rule: 'schema',
    severity: 'error',
    pointer: pointer + instancePath,
    ...(field !== undefined && { field, atKey: true }),
    args: { keyword, detail: message + (given === undefined ? '' : `: ${JSON.stringify(given)}`) },
  };
}
