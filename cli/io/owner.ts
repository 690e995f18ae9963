/** Whether a file with this owner is the user's own; where files have none, it is. */
export function isOurs(uid: number): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}
