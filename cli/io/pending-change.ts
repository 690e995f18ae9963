/** A change that has been made and can still be taken back. */
export interface PendingChange {
  /** Makes it last, should the process be killed from here on; may fail. */
  settle(): void;
  /** Takes it back, also after `settle`. */
  undo(cause: unknown): void;
  /** Clears up; after this it cannot be taken back. Never fails. */
  finish(): void;
}

/**
 * Makes all the changes, or none: when one fails, those before it are taken back. So are
 * they all when `check` finds that they are not what they should be.
 */
export function applyTogether(
  starts: readonly (() => PendingChange)[],
  check: () => void = () => undefined,
): void {
  const made: PendingChange[] = [];
  try {
    for (const start of starts) made.push(start());
    check();
    for (const change of made) change.settle();
  } catch (error) {
    undoAll(made, error);
    throw error;
  }
  for (const change of made) change.finish();
}

/** Each of them, even if one cannot be undone; of those failures the first is told. */
function undoAll(made: readonly PendingChange[], cause: unknown): void {
  const failures: unknown[] = [];
  for (const change of made.toReversed()) {
    try {
      change.undo(cause);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
