import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { importTable } from './checks/import-config.ts'

// Writes the rules of `checks/import-rules.ts` into ARCHITECTURE.md.

const head = ['folder', 'may import', 'types only', 'packages']
const rows = [head, head.map(() => '---'), ...importTable()].map((cells) => `| ${cells.join(' | ')} |`)
const document = readFileSync('ARCHITECTURE.md', 'utf8')
writeFileSync(
  'ARCHITECTURE.md',
  document.replace(/^\| folder[^\n]*may import[^\n]*\n(?:\|[^\n]*\n)+/m, `${rows.join('\n')}\n`),
)
execFileSync('node_modules/.bin/oxfmt', ['ARCHITECTURE.md'])
