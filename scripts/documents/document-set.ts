import { parseDocument, type Section } from './parse-document.ts';

/** The shipped documents, as text: nothing below the edge reads the disk. */
export interface DocumentSet {
  /** language → file name → text */
  languages: Map<string, Map<string, string>>;
  /** path below `templates/shared` → text */
  shared: Map<string, string>;
}

export interface Finding {
  check: string;
  file: string;
  line: number;
  message: string;
}

export interface Check {
  id: string;
  run(set: DocumentSet): Omit<Finding, 'check'>[];
}

export interface Document {
  language: string;
  name: string;
  file: string;
  text: string;
  sections: Section[];
}

/** The language the others are compared with. */
export const REFERENCE = 'en';

export const pathOf = (language: string, name: string): string => `templates/${language}/${name}`;

export function listDocuments(set: DocumentSet, only?: string): Document[] {
  return [...set.languages].flatMap(([language, files]) =>
    [...files]
      .filter(([name]) => only === undefined || name === only)
      .map(([name, text]) => ({
        language,
        name,
        file: pathOf(language, name),
        text,
        sections: parseDocument(text),
      })),
  );
}

/** Each document of another language with the reference's of the same name. */
export function pairDocuments(set: DocumentSet): { ours: Document; theirs: Document }[] {
  const all = listDocuments(set);
  return all
    .filter((document) => document.language !== REFERENCE)
    .flatMap((theirs) => {
      const ours = all.find((d) => d.language === REFERENCE && d.name === theirs.name);
      return ours ? [{ ours, theirs }] : [];
    });
}

interface SectionPair {
  file: string;
  ours: Section;
  theirs: Section;
}

/** Sections side by side; where the headings differ there is nothing to compare by. */
export function pairSections(set: DocumentSet): SectionPair[] {
  return pairDocuments(set).flatMap(({ ours, theirs }) => {
    const levels = (document: Document) => document.sections.map((s) => s.level).join();
    if (levels(ours) !== levels(theirs)) return [];
    return ours.sections.flatMap((section, index) => {
      const other = theirs.sections[index];
      return other ? [{ file: theirs.file, ours: section, theirs: other }] : [];
    });
  });
}
