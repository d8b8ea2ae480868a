/** A folder as somebody has it: files by path. */
export type Vault = Readonly<Record<string, string | Uint8Array>>;

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff]);

/** Folders whose bytes must come back, by what is odd about them. The first ones are as in public Obsidian vaults. */
export const vaults: Readonly<Record<string, Vault>> = {
  templates: {
    'Templates/Daily.md':
      '---\ncreated: {{date}} {{time}}\ntags: daily\n---\n# {{title}}\n\n- [ ] \n',
    'Templates/Meeting.md':
      '---\ndate: {{date}}\nattendees: \n- \nproject: "[[{{project}}]]"\n---\n## Notes\n',
    'Templates/Templater.md':
      '---\ntitle: <% tp.file.title %>\ncreated: <% tp.date.now("YYYY-MM-DD") %>\n---\n<%* await x() %>\n',
  },
  'dataview fields': {
    'Books/Dune.md':
      '---\nauthor: [[Frank Herbert]]\nrating: 9/10\npublished: 1965-08-01\nread: true\nseries: \n  - [[Dune]]\n  - [[Messiah]]\npages: 0412\n---\nstatus:: #done\nlength:: 7 hours\n',
    'Index.md': '```dataview\nTABLE author FROM "Books"\n```\n',
  },
  'CJK names': {
    '日本語/会議 議事録.md': '---\nタイトル: 「計画」\ntags: [日記, 仕事/会議]\n---\n内容\n',
    '中文笔记（一）.md': '第一行\n第二行\n',
    '한국어/메모.md': '메모\n',
  },
  attachments: {
    'Trip.md': '![[map.png]]\n[pdf](files/a%20b.pdf)\n',
    'map.png': png,
    'files/a b.pdf': png,
    'canvas.canvas': '{"nodes":[]}',
  },
  CRLF: {
    'Windows.md': 'one\r\ntwo\r\n',
    'Front.md': '---\r\nstatus: draft\r\npinned: true\r\ntags:\r\n  - a\r\n---\r\nbody\r\n',
  },
  'nested tags and aliases': {
    'Note.md':
      '---\naliases: [N, "the note"]\ntags: [area/work/2026, "#inbox"]\ncssclasses:\n- wide\n---\ntext\n',
    'Text.md': '---\ntags: work, home/garden\nalias: one\n---\ntext\n',
  },
  'a kanban board': {
    'Board.md':
      '---\n\nkanban-plugin: basic\n\n---\n\n## To do\n\n- [ ] one\n\n%% kanban:settings\n{"a":1}\n%%',
  },
  'a byte order mark': {
    'Front.md': '\ufeff---\nstatus: draft\n---\nbody\n',
    'Plain.md': '\ufeffbody\n',
  },
  'titles that differ from the names': {
    '2026-11-24-launch.md': '---\ntitle: The launch\n---\nbody\n',
    'plain.md': '---\ntitle: plain\n---\nbody\n',
    'slash.md': '---\ntitle: "Either/or: a *choice*?"\n---\nbody\n',
  },
  'comments, quotes and the order of keys': {
    'Note.md':
      '---\n# set by hand\nz: \'single\'\na: "double"   # why\n\nm:   spaced\nlist: [1,2,  3]\n---\nbody\n',
  },
  'empty values': {
    'Note.md': '---\ntitle:\ntags:\nfolder:\npinned:\naliases: \ndate: ""\n---\nbody\n',
  },
  'values that a field cannot have': {
    'Note.md': '---\npinned: maybe\ntags: {a: 1}\narchived: 5\nproperties: none\n---\nbody\n',
  },
  'a map in one line': { 'Note.md': '---\n{status: draft, n: 1.10}\n---\nbody\n' },
  'invalid YAML': {
    'Open.md': '---\ntags: [open\n---\nbody\n',
    'Tab.md': '---\na:\n\t- x\n---\nbody\n',
    'Twice.md': '---\na: 1\na: 2\n---\nbody\n',
    'Colon.md': '---\ndescription: a: b\n---\nbody\n',
  },
  anchors: { 'Note.md': '---\na: &x 1\nb: *x\n---\nbody\n' },
  'tags of YAML': {
    'Note.md': '---\npicture: !!binary aGVsbG8=\nset: !!set {a, b}\nown: !mine text\n---\nbody\n',
  },
  numbers: {
    'Note.md': '---\nversion: 1.10\ncode: 007\nhex: 0x1F\nbig: 12345678901234567890\n---\nx',
  },
  'long text': {
    'Note.md': `---\nlong: ${'word '.repeat(60)}end\nfolded: >-\n  one\n  two\nliteral: |\n  one\n\n  two\n---\nx\n`,
  },
  'rules in the text': {
    'Prose.md': '---\nnothing but text\n---\nmore\n',
    'Empty.md': '---\n---\nbody\n',
    'Twice.md': '---\na: 1\n---\n---\nb: 2\n---\n',
    'Open.md': '---\nnever closed\n',
    'Blank.md': '',
  },
  'text behind the end of YAML': {
    'Pandoc.md': '---\ntitle: Pandoc\n...\n\nAn introduction.\n\n---\nmore\n',
    'Heading.md': '---\ntags: x\n...\n# Heading\n---\nmore\n',
  },
  slides: { 'Talk.md': '---\n\n# First slide\n\n---\n\n# Second slide\n' },
  'mixed line breaks': { 'Note.md': '---\r\na: 1\nb: 2\r\n---\nbody\r\nbody\n' },
  'no line break at the end': { 'Note.md': '---\na: 1\n---', 'Body.md': '---\na: 1\n---\nx' },
  'odd names': {
    'a.b.c.md': 'dots\n',
    'Plan (2).md': 'two\n',
    "it's $5 & more!.md": 'shell\n',
    '😀/🎉 party.md': '---\nmood: 🎉\n---\nemoji\n',
    'UPPER.md': 'upper\n',
  },
};
