import { openInboxes } from './open-inboxes.ts';

/** Holds so many inboxes open until it is ended. */
const [port = '', count = '', keys = ''] = process.argv.slice(2);
const all = keys.split(',');
const wanted = Array.from({ length: Number(count) }, (_, index) => all[index % all.length] ?? '');
await openInboxes(Number(port), wanted);
process.stdout.write('open\n');
