// What the browser's modules hand to each other. Each is defined by `fixbook.define` in a file of
// overrides/assets/diagnose; `constants` is written by generator/browser/constants.py at build time.

declare const fixbook: {
  define<Name extends keyof Modules>(name: Name, factory: (use: Use) => Modules[Name]): void;
  use: Use;
  /** Load a script into the page. */
  load(url: string): Promise<void>;
  /** The modules that are loaded, as a script. */
  source(): string;
  data: { index?: IndexData; advice?: AdviceData; fixes?: Record<string, AdviceRow> };
  /** Files of the engine, in any order. */
  engine: string[];
};
type Use = <Name extends keyof Modules>(name: Name) => Modules[Name];
/** What Material keeps in the browser under a name, as the tabs that were chosen last. */
declare function __md_get(name: string): string[] | null;
declare function importScripts(...urls: string[]): void;

interface Modules {
  constants: Constants;
  text: {
    strip(text: string): string;
    split(text: string): string[];
    slice(text: string, start: number, end: number): string;
    length(text: string): number;
    escape(text: string): string;
  };
  words: {
    words: Record<string, string>;
    fill(text: string, values: Record<string, string | number>): string;
    counted(key: string, count: number): string;
    where(place: { source: string; line: number; rank: number | null }): string;
    lacking(names: string[]): string;
  };
  disguise: {
    plain(raw: string): string;
    unquoted(part: string): string[];
    disguisesOf(literal: string): string[];
  };
  normalise: {
    cleanLine(raw: string): { text: string; rank: number | null };
    named(match: RegExpExecArray | null): number | null;
    partsOf(raw: string): string[];
    windows(text: string): string[];
  };
  prefilter: { Prefilter: new (literals: string[]) => { find(chunk: Uint8Array): [number, number][] } };
  chunks: {
    WholeLines: new () => { push(part: Uint8Array): Uint8Array[]; end(): Uint8Array[] };
    feeds(bytes: Uint8Array, from: number, to: number): number;
    lowered(bytes: Uint8Array): Uint8Array;
    plainBytes(bytes: Uint8Array): Uint8Array;
  };
  lines: {
    linesWithHits(chunk: Uint8Array, hits: [number, number][]): Iterable<{ start: number; end: number; literals: Set<number> }>;
    neighbours(chunk: Uint8Array, start: number, end: number): Around;
    linesAround(lines: string[], at: number): Around;
    rankAbout(message: string, place: { chunk: Uint8Array; start: number }): number | null;
  };
  context: { linesBefore(earlier: Uint8Array, chunk: Uint8Array, start: number): string };
  times: { moment(chunk: Uint8Array, start: number, end: number): number | null };
  index: {
    Index: new (data: IndexData) => Index;
    filled(groups: Record<string, string> | undefined): Record<string, string>;
  };
  traceback: {
    linesOfRank(context: Context, line: LogLine): LogLine[];
    tracebacksOf(lines: LogLine[]): Traceback[];
  };
  libraries: { libraryOf(path: string): string };
  exception: {
    headlineOf(errors: Placed[], noticed: Placed | null, heads: Map<string, string>): Card | null;
    cardOfHit(hit: Hit, heads: Map<string, string>): Card | null;
  };
  likely: { likelyOf(scan: Scan): Card | null };
  quoted: {
    inData(text: string, start: number): boolean;
    isCode(text: string): boolean;
    isTriedAgain(text: string): boolean;
    inChat(chunk: Uint8Array, start: number): boolean;
  };
  versions: { versionsOf(head: string, before: string, frames: Frame[]): Record<string, string> };
  next_steps: { nextSteps(card: Card): NextSteps };
  scan: { Scan: new (scanner: Scanner, source: string, rank: number | null) => Scan };
  scanner: { Scanner: new (index: Index, folded?: boolean) => Scanner };
  source_lines: {
    raises(text: string): boolean;
    raisedAt(line: LogLine, place: Place, rank: number | null): { line: LogLine; place: Place } | null | undefined;
  };
  unwrapped: { piecesOf(lines: { at: number; text: string }[]): { at: number; text: string }[] };
  going_on: { Below: new (scans: Scan[], index: Index, errors: Hit[][]) => Below };
  second: { secondScans(scans: Scan[], index: Index): Scan[] };
  across: { disagreements(hits: Hit[], index: Index): (hit: Hit) => boolean };
  decide: { decide(scans: Scan[], index: Index): Diagnosis };
  telling: {
    tellingOf(hits: Hit[], index: Index): Hit;
    withoutCode(placed: Placed[], index: Index, errors: boolean): Placed[];
  };
  cases: {
    ORDER: Standing[];
    shownBy(match: Match, diagnosis: Diagnosis): Shown;
    standingOf(cases: Case[], shown: Shown): Standing;
    caseOf(conditions: CaseCondition[], shown: Shown): Standing;
  };
  yours: {
    filled(text: string, captures: Record<string, string>, blanks: Record<string, string>): string;
    filledHtml(html: string, captures: Record<string, string>, blanks: Record<string, string>): string;
  };
  advice: { adviceOf(row: AdviceRow, shown: Shown): Advice };
  advice_view: {
    adviceOf(advice: Advice, slug: string, site: Site): Generator<HTMLElement>;
    prose(html: string, site: Site): HTMLElement;
  };
  answer: {
    answerOf(diagnosis: Diagnosis, index: Index, guesses: Ranked[], top?: number): Answer;
    labelled(match: Match, labels: Record<string, string>): Labelled[];
  };
  tokens: {
    tokensOf(text: string): Ranked[];
    phraseOf(text: string): string;
    stemOf(word: string): string;
    cleanQuery(text: string): string;
    telling(text: string): string;
    isBare(text: string): boolean;
    cardsIn(text: string): string[];
  };
  elsewhere: {
    Elsewhere: new (names: string[]) => {
      in(query: string): string[];
      strange(query: string, known: { has(token: string): boolean }): string[];
    };
    searchOf(asked: string): string;
  };
  endings: {
    endingsOf(query: string, weights: Map<string, number>, postings: Map<string, string>, sorted: string[]): string[];
  };
  question: { isQuestion(text: string): boolean; failureTold(text: string, telling: string): number };
  postings: {
    unpackTokens(packed: string): string[];
    unpackPosting(posting: string, levels: number): [number, number][];
  };
  covering: {
    covers(share: number, whole: number, said: number, told: number): boolean;
    lacks(token: string, known: Set<string>): number;
    wordsOf(query: string): Map<string, string>;
  };
  bm25: { SearchIndex: new (packed: Packed, elsewhere?: string[]) => SearchIndex };
  unfold: { unfold(text: string): string };
  wide: { decoded(parts: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> };
  reading: {
    rankIn(path: string): number | null;
    scanFile(file: Blob, scan: Scan, progress: Progress): Promise<{ tail: string; note: string }>;
    scanText(text: string, scan: Scan): void;
  };
  engine: { Engine: new (data: IndexData) => Engine };
  find: { Finder: new (engine: Engine, ending?: string) => Finder };
  jobs: { serve(scope: WorkerScope, data: { index: IndexData; advice: AdviceData }): void };
  dom: {
    el<Tag extends keyof HTMLElementTagNameMap>(
      name: Tag, attributes?: Record<string, string> | null, ...children: (Node | string | null)[]
    ): HTMLElementTagNameMap[Tag];
    section(title: string, ...children: (Node | string)[]): HTMLElement;
    link(text: string, address: string, site: { root: string }): HTMLElement;
    outside(text: string, href: string): HTMLAnchorElement;
    inline(text: string): (Node | string)[];
    copyButton(text: () => string, area?: HTMLTextAreaElement): HTMLElement;
  };
  redact: { redact(text: string): string };
  report: { reportBox(result: Result): HTMLDetailsElement };
  unknown_view: {
    cardOf(card: NonNullable<Answer["exception"]>): Generator<HTMLElement>;
    nextOf(next: NextSteps, card: NonNullable<Answer["exception"]>): HTMLElement;
    askedOf(asked: Asked, site: Site): Generator<HTMLElement>;
  };
  kind: { isConfig(text: string): boolean; isConfigName(name: string): boolean };
  files: { take(form: Element, zone: HTMLElement, give: (files: Log[]) => void): void };
  texts: { Texts: new (here: string) => { site(): Promise<Site>; fixes(): Promise<Record<string, AdviceRow>> } };
  place: {
    remember(text: string): void;
    asked(): string | null;
    leave(): void;
    top(): number;
    carry(text: string, answered: boolean): void;
    recall(): { text: string; answered: boolean } | null;
  };
  view: { view(result: Result, site: Site): HTMLElement[] };
  runner: {
    Runner: new (here: string) => { run(logs: Log[], progress: Progress): Promise<Result>; cancel(): void };
  };
  config_runner: {
    PASTED: string;
    ConfigRunner: new (here: string) => {
      run(files: Log[], lang: string, tool: string): Promise<CheckReport>;
      cancel(): void;
    };
  };
  config_view: { configView(report: CheckReport, site: Site): HTMLElement[] };
}

interface Constants {
  lang: "zh" | "en";
  /** Columns of terminals. */
  usualWidths: number[];
  limits: Record<
    | "window" | "overlap" | "prefixes" | "beforeTask" | "chunk" | "linesPerLiteral" | "hits" | "errors" | "lookBack"
    | "same" | "context" | "name" | "code" | "title" | "address" | "fewLines" | "reach" | "chains" | "rises" | "leastColumn" | "behind" | "late" | "sourceRoom" | "sourceLines" | "versions" | "phrase" | "phrases" | "read"
    | "enough" | "questions" | "question" | "questionWords" | "fewWords" | "sentenceWords" | "sentenceHan" | "longWords" | "longHan" | "searched" | "leastHan" | "nearest"
    | "lookAhead" | "table" | "beforeObject" | "tail" | "room" | "narrowest" | "widest" | "joined" | "unknown" | "text"
    | "said" | "ranks" | "below" | "unrecognised" | "tokens" | "guessBytes"
    | "wideFewest" | "wideMost" | "wideMostly" | "wideHardly",
    number
  >;
  /** For `new RegExp(…, "u")`. */
  patterns: Record<
    | "head" | "link" | "ignored" | "tracebackFrame" | "words" | "marks"
    | "packages" | "standard" | "egg" | "kind" | "wrappers" | "version" | "pythonPath" | "likely" | "named" | "aside"
    | "code" | "raises" | "raise" | "bar" | "step" | "epoch" | "made" | "quotation" | "boxed" | "cells" | "logged" | "filled" | "boxEnd" | "heading" | "data" | "again" | "chatOpened" | "chatClosed"
    | "warning" | "values" | "quotedName" | "plainWord" | "ends"
    | "escapes" | "bold" | "colours" | "entity" | "zeroWidth" | "field" | "feeds" | "quoted" | "prefixes" | "rankInLine"
    | "row" | "rowOfRank" | "error" | "firstError" | "time" | "word" | "part" | "stem" | "hex" | "frame" | "path"
    | "lineEnd" | "hanStop" | "common" | "card" | "productName" | "quantity" | "fails" | "amiss" | "choice" | "logMark" | "opening" | "asks" | "tells" | "prompt" | "launch" | "place" | "yourName" | "yourNumber" | "caseNumber" | "release",
    string
  >;
  /** What is known of libraries, by the name that is imported. */
  libraries: Record<string, { repo: string; docs: string }>;
  /** Names under which a library prints its version, beside the one that is imported. */
  aliases: Record<string, string>;
  questions: { when: string; ask: string }[];
  redaction: {
    /** In this order; `by` is a text, or the name of a function with parentheses. */
    rules: { pattern: string; by: string }[];
    libraries: string[];
    /** Of each digit of a number of a person but the last, which is that of the remainder. */
    weights: number[];
    checks: string;
    /** What a number of bytes is a multiple of. */
    memory: number;
  } & Record<"knownHosts" | "key" | "local" | "packages" | "system", string>;
  /** Where an issue of this project is opened; empty if nobody says where. */
  issues: string;
  /** Fields of the forms that a report fills in; each has a word `report_…`. */
  reportFields: string[];
  /** Where issues are searched; the query follows. */
  issueSearch: string;
  /** Stands for a value of this run. */
  blank: string;
  ranksInPath: string[];
  errorLiterals: string[];
  /** How text is rewritten on its way, and what it means. */
  disguise: {
    forms: [string, string][][];
    entities: Record<string, string>;
    lookalikes: Record<string, string>;
    signs: Record<string, string>;
  };
  /** Endings of files that are no logs. */
  skipped: string[];
  /** What stands for a value of the reader that the log does not tell. */
  yours: string;
  /** The one year that times are compared in. */
  year: number;
  search: {
    k1: number; b: number; partWeight: number; hanWeight: number; stop: string[]; digits: string; base: number;
    numberWeight: number; mostDigits: number; fullLevel: number; unknown: number; strange: number; leastHan: number; leastName: number; more: number[]; nothingAmiss: number[]; moreOfFew: number[]; leastCovered: number; few: number; enough: number;
    unnamed: number; byName: number; named: number; weak: number; notYet: string;
  };
  words: Record<string, string>;
}

/** A signature, or one pattern of a shared message. */
interface Matcher {
  /** Slug of the entry, or id of the message. */
  owner: string;
  /** Id of the signature. */
  name: string;
  /** True for an entry's own signature. */
  specific: boolean;
  /** True for a message that only notices a failure. */
  secondary: boolean;
  /** True for a message that only notices that another process has ended. */
  echo: boolean;
  pattern: string;
  /** Each must be found somewhere in the log. */
  context: string[];
  /** None may be found anywhere in the log. */
  unless: string[];
  /** Groups that have to agree between two ranks. */
  same: string[];
  /** Groups of which one has to differ between them; empty if one line decides. */
  differ: string[];
  /** Every match contains one of these. */
  literals: string[];
}

/** Documents to search: sorted tokens, each with the documents it stands in. */
interface Packed {
  slugs: string[];
  lengths: number[];
  /** The weights that postings refer to. */
  levels: number[];
  /** Each begins with how many characters it shares with the last. */
  tokens: string;
  /** Per token: gap × levels + level, in digits. */
  postings: string;
}

interface IndexData {
  format: number;
  lang: string;
  matchers: Matcher[];
  surroundings: Record<string, string[]>;
  causes: Record<string, string[]>;
  titles: Record<string, { title: string; summary: string }>;
  labels: Record<string, string>;
  entries: Packed;
  pages: Packed;
  /** Names of what the book has nothing on, in lower case. */
  elsewhere: string[];
  pageTitles: Record<string, string>;
  asks?: Record<string, string>;
  advice?: Record<string, string>;
}

interface AdviceData {
  titles: Record<string, string>;
  asks: Record<string, string>;
  /** What the pages of messages say, as HTML. */
  advice: Record<string, string>;
}

/** How advice stands to a log. */
type Standing = "met" | "open" | "against";

/** What a log shows that cases ask for; see `Shown` of fixbook/log/cases.py. */
interface Shown {
  captures: Record<string, string>;
  found: Set<string>;
  libraries: string[];
  traced: boolean;
  versions: Record<string, string>;
  ranks: number;
}

type CaseTest =
  | ["in", string[]]
  | ["matches", string]
  | ["over" | "under", number, string?];
type CaseBound = ["==" | "!=" | "<" | "<=" | ">" | ">=", number[]];
type CaseCondition =
  | ["capture", string, CaseTest[]]
  | ["log" | "unless", string]
  | ["frames" | "unless-frames" | "library", string[]]
  | ["version", string, CaseBound[]]
  | ["ranks", CaseTest[]];

interface Case {
  says: string;
  all: CaseCondition[];
}

interface Code {
  language: string;
  text: string;
}

interface Change {
  tool: string;
  version: string;
  text: string;
}

/** The advice of an entry; texts are HTML with places for the reader's values. */
interface AdviceRow {
  fixes: {
    id: string; title: string; text: string; trade_off: string | null; code: Code | null; changes: Change[]; when: Case[];
  }[];
  avoid: { title: string; text: string; when: Case[] }[];
  detect: { text: string; code: Code | null; when: Case[] };
  yours: Record<string, string>;
  /** What names are called now; empty for one without a successor. */
  names: Record<string, string>;
}

interface FixAdvice {
  id: string;
  standing: Standing;
  says: string[];
  title: string;
  text: string;
  code: Code | null;
  changes: Change[];
  trade_off: string | null;
}

/** What an answer says to do. */
interface Advice {
  fixes: FixAdvice[];
  avoid: { title: string; text: string }[];
  detect: { text: string; code: Code | null } | null;
}

interface Index {
  data: IndexData;
  matchers: Matcher[];
  causes: Record<string, string[]>;
  surroundings: Record<string, string[]>;
  regex(pattern: string, folded?: boolean): RegExp;
}

interface LogLine {
  number: number;
  text: string;
  rank: number | null;
}

/** Raw lines for people to read. */
interface Around {
  before: string[];
  text: string;
  after: string[];
}

/** One line in which a pattern matched. */
interface Hit {
  /** Position of the matcher; -1 for an exception that none matched. */
  matcher: number;
  line: LogLine;
  captures: Record<string, string>;
  /** Seconds since an arbitrary origin. */
  moment: number | null;
  source: string;
  context: Context;
  around: Around;
  /** A source line matched; `line` is the exception that it raised. */
  code: boolean;
}

/** A line of a chunk, and whether it holds what every error holds. */
interface Place {
  number: number;
  chunk: Uint8Array;
  start: number;
  end: number;
  error: boolean;
}

/** A matcher by its number, or a pattern that is only looked for. */
type Job = number | string;

/** What is counted below the failures of some logs. */
interface Below {
  hits(hits: Hit[]): GoesOn | null;
  gotOver(hits: Hit[]): boolean;
  error(source: string): GoesOn | null;
}

/** Steps that are counted below a line; `sure` is false where they may have been printed late. */
interface GoesOn {
  line: number;
  sure: boolean;
}

/** What stands before a line; whole lines, kept for exceptions alone. */
interface Context {
  before: string;
  /** The rank of lines that name none. */
  rank: number | null;
}

/** Time, line and log: the order of hits. */
type When = [number, number, number];

interface Placed {
  when: When;
  hit: Hit;
}

interface Frame {
  file: string;
  line: number;
  function: string;
  code: string;
}

interface Traceback {
  /** Outermost first. */
  frames: Frame[];
  error: LogLine | null;
  /** The last line that was printed before it. */
  before: LogLine | null;
  /** It follows another, as its consequence. */
  linked: boolean;
  /** It is quoted below the exception that passes it on. */
  inner: boolean;
  /** The line of its heading. */
  opened: string;
  /** Python only reports it and goes on. */
  ignored: boolean;
}

/** What a log tells of one exception. */
interface Card {
  line: LogLine;
  source: string;
  kind: string;
  /** False for a line that only reads like a failure. */
  certain: boolean;
  cause: LogLine | null;
  /** The deepest frame in the user's own code. */
  user: Frame | null;
  library: string;
  /** Those of all its frames, the deepest first. */
  libraries: string[];
  /** The deepest frame in a library. */
  frame: Frame | null;
  before: LogLine | null;
  versions: Record<string, string>;
}

/** What to do about an error that the book does not have. */
interface NextSteps {
  /** The error without the values of this run. */
  blanked: string;
  search: string;
  repo: string;
  docs: string;
  questions: string[];
}

interface Scan {
  source: string;
  /** The beginning of the log. */
  head: Uint8Array;
  hits: Hit[];
  /** Patterns of `context` and `unless` that were found anywhere. */
  found: Set<string>;
  errors: Hit[];
  lines: number;
  /** The rank that its name tells. */
  rank: number | null;
  /** The end of the log, and how many lines stand before it. */
  tail: Uint8Array;
  before: number;
  /** Lines that hold an error and are quoted in a chat, by number. */
  quoted: Set<number>;
  /** The last line of each matcher that was met; of errors under -1. */
  last: Map<number, number>;
  /** Takes a chunk that ends at a line feed. */
  add(raw: Uint8Array): void;
  /** To be called after the last chunk. */
  end(): void;
}

interface Scanner {
  index: Index;
  folded: boolean;
  places(chunk: Uint8Array): [number, number][];
  hasError(literals: Set<number>): boolean;
  jobsOf(literals: Iterable<number>): Job[];
  start(source: string, rank?: number | null): Scan;
}

/** The value of a named group, and the signature whose group it is. */
interface Capture {
  signature: string;
  name: string;
  value: string;
}

interface Labelled extends Capture {
  label: string;
}

/** One recognised entry or message. */
interface Match {
  owner: string;
  signature: string;
  specific: boolean;
  secondary: boolean;
  echo: boolean;
  pattern: string;
  line: LogLine;
  source: string;
  around: Around;
  captures: Capture[];
  causes: string[];
  ranks: number[];
}

interface Diagnosis {
  /** Best first. */
  matches: Match[];
  unknown: Hit[];
  lines: number;
  /** The exception that the answer is about, as far as the log tells. */
  exception: Card | null;
  /** False if the first match only notices that exception, which is not recognised. */
  explained: boolean;
  /** Patterns of cases, contexts and their kin that stand in the logs. */
  found: Set<string>;
  /** Steps that are counted below what the answer is about. */
  goesOn: GoesOn | null;
}

/** An entry or message by its name: exactly one of `slug` and `symptom` is there. */
interface Named {
  slug?: string;
  symptom?: string;
  title: string;
}

interface Found extends Named, Partial<Advice> {
  summary: string;
  certainty: string;
  secondary: boolean;
  signature: string;
  source: string;
  line: number;
  rank: number | null;
  ranks: number[];
  text: string;
  captures: Labelled[];
  advice: string | null;
  causes: { slug: string; title: string; ask: string }[];
}

/** What `fixbook diagnose --json` prints. */
interface Answer {
  kind: "entry" | "symptom" | "unknown";
  answer: Found | null;
  exception: null | {
    kind: string;
    certain: boolean;
    text: string;
    source: string;
    line: number;
    rank: number | null;
    cause: { line: number; text: string } | null;
    user: Frame | null;
    library: string;
    frame: Frame | null;
    before: string;
    versions: Record<string, string>;
  };
  /** Steps that are counted below what it is about. */
  goes_on: GoesOn | null;
  next: NextSteps | null;
  runner_ups: Found[];
  unrecognised: { line: number; source: string; rank: number | null; text: string }[];
  guesses: (Named & { score: number })[];
  lines: number;
  /** Of the book. */
  entries: number;
}

/** A name with its score, or a token with its weight. */
type Ranked = [string, number];

/** What is said of words that nothing in the book answers. */
interface Unanswered {
  /** Names in them of what the book has nothing on, as they were typed. */
  elsewhere: string[];
  /** Entries and messages that are nearest to them, and no answer. */
  nearest: string[];
  /** Address of a search elsewhere; following it sends their telling words. */
  search: string;
}

/** The same, with titles. */
interface Asked extends Omit<Unanswered, "nearest"> {
  nearest: { slug?: string; symptom?: string; title: string }[];
}

interface SearchIndex {
  lacking(query: string): string[];
  search(query: string, top?: number, typing?: boolean): Ranked[];
  nearest(query: string, top: number): string[];
  ordered(slugs: string[], query: string): string[];
  why(query: string, slug: string): string[];
}

interface Engine {
  index: Index;
  entries: SearchIndex;
  pages: SearchIndex;
  diagnose(text: string): Diagnosis;
  guesses(text: string, top: number): Ranked[];
  unanswered(text: string): Unanswered | null;
  answer(logs: Log[], progress?: Progress, top?: number): Promise<Result>;
}

/** One result of the search box; title and text are HTML. */
interface Item {
  location: string;
  title: string;
  text: string;
  score: number;
  terms: object;
}

interface Finder {
  find(query: string): Item[][];
}

/** What the diagnosis page shows. */
interface Result {
  answer: Answer;
  /** What the logs show that cases ask for; null if no entry explains them. */
  holds: Shown | null;
  /** What is said where words, and no log, found nothing. */
  asked: Asked | null;
  shown: {
    matches: Pick<Match, "owner" | "around" | "pattern" | "line">[];
    unknown: Pick<Hit, "around" | "line">[];
    tail: string;
  };
  notes: { name: string; note: string }[];
}

interface Log {
  name: string;
  blob: Blob;
}

/** Told how many bytes were read. */
type Progress = (bytes: number) => void;

interface Site {
  lang: "zh" | "en";
  root: string;
  /** What the pages of messages say, as HTML. */
  advice: Record<string, string>;
  titles: Record<string, string>;
}

type Both = Record<"zh" | "en", string>;

interface CheckFinding {
  severity: "error" | "warning" | "note";
  rule: string;
  file: string;
  line: number;
  message: Both;
  why: Both;
  mend: Both | null;
  entry: string | null;
  applies: "safe" | "suggestion";
  not_fixed: Both | null;
  diff: string;
}

interface MendedFile {
  file: string;
  /** What to save it as. */
  name: string;
  kind: string;
  text: string;
  diff: string;
}

/** What `check_texts` of fixbook/config/texts.py returns. */
interface CheckReport {
  findings: CheckFinding[];
  unreadable: { file: string; what: Both; mend: Both }[];
  unrecognised: unknown[];
  mended: MendedFile[];
  summary: string[];
}

/** The part of a worker's global scope that is used. */
interface WorkerScope {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
}
