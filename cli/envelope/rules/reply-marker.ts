import { LOCAL_REPLY_MARKERS, REPLY_MARKER } from '../../protocol/constants.ts';
import { textRule } from '../rule.ts';

const MARKERS = [REPLY_MARKER, ...LOCAL_REPLY_MARKERS];

export const replyMarker = textRule('reply-marker', 'warning', ['original_text'], (text) => {
  if (!text.includes('[')) return undefined;
  const marker =
    MARKERS.find((it) => text.includes(it)) ?? /\[\[\s*reply_to[\w:][^[\]]*\]\]/i.exec(text)?.[0];
  return marker === undefined ? undefined : { args: { marker } };
});
