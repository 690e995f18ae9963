export interface Located {
  text: string;
  line: number;
}

export interface Block {
  info: string;
  /** Line of the opening fence. */
  line: number;
  lines: string[];
}

export interface Row {
  line: number;
  cells: string[];
}

export interface Section {
  /** 0 for what stands before the first heading. */
  level: number;
  title: string;
  line: number;
  /** Lines outside fences, without inline code and link targets. */
  prose: Located[];
  spans: Located[];
  links: Located[];
  /** Rows of each table, the header first. */
  tables: Row[][];
  blocks: Block[];
}

const SPAN = /`([^`]+)`/g;
const LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g;

function createSection(level: number, title: string, line: number): Section {
  return { level, title, line, prose: [], spans: [], links: [], tables: [], blocks: [] };
}

export function spansOf(text: string): string[] {
  return [...text.matchAll(SPAN)].map((match) => (match[1] ?? '').replaceAll('\\|', '|'));
}

function parseRow(text: string, line: number): Row {
  const cells = text
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/);
  return { line, cells: cells.map((cell) => cell.trim()) };
}

/** Lines of the YAML between the `---` at the top, fences included; 0 if there is none. */
function frontmatterLength(lines: string[]): number {
  return lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0;
}

export function parseDocument(text: string): Section[] {
  const lines = text.split('\n');
  let section = createSection(0, '', 1);
  const sections = [section];
  let block: Block | undefined;
  let table: Row[] | undefined;

  for (let index = frontmatterLength(lines); index < lines.length; index++) {
    const raw = lines[index] ?? '';
    const line = index + 1;

    if (block) {
      if (raw.startsWith('```')) block = undefined;
      else block.lines.push(raw);
      continue;
    }
    if (raw.startsWith('```')) {
      block = { info: raw.slice(3).trim(), line, lines: [] };
      section.blocks.push(block);
      continue;
    }

    const heading = /^(#{1,6}) (.*)$/.exec(raw);
    if (heading) {
      section = createSection(heading[1]?.length ?? 0, heading[2] ?? '', line);
      sections.push(section);
    }

    if (!raw.startsWith('|')) table = undefined;
    else if (!table) {
      table = [parseRow(raw, line)];
      section.tables.push(table);
    } else if (!/^[|\s:-]+$/.test(raw)) table.push(parseRow(raw, line));

    section.spans.push(...spansOf(raw).map((span) => ({ text: span, line })));
    const bare = raw.replace(SPAN, ' ');
    section.links.push(...[...bare.matchAll(LINK)].map((m) => ({ text: m[2] ?? '', line })));
    section.prose.push({ text: bare.replace(LINK, '$1'), line });
  }
  return sections;
}

/** Matches over all of a section's prose, so that a phrase may run over a line's end. */
export function matchProse(
  prose: Located[],
  pattern: RegExp,
): { match: RegExpExecArray; line: number }[] {
  const joined = prose.map(({ text }) => text).join('\n');
  return [...joined.matchAll(pattern)].map((match) => {
    const row = joined.slice(0, match.index).split('\n').length - 1;
    return { match: match as RegExpExecArray, line: prose[row]?.line ?? 1 };
  });
}
