import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { importConfig, importTable } from './checks/import-config.ts'

// Writes the rules of `checks/import-rules.ts` into the linter's configuration and ARCHITECTURE.md.

const head = ['folder', 'may import', 'types only', 'packages']
const rows = [head, head.map(() => '---'), ...importTable()].map((cells) => `| ${cells.join(' | ')} |`)
const document = readFileSync('ARCHITECTURE.md', 'utf8')
writeFileSync(
  'ARCHITECTURE.md',
  document.replace(/^\| folder[^\n]*may import[^\n]*\n(?:\|[^\n]*\n)+/m, `${rows.join('\n')}\n`),
)
writeFileSync('.oxlintrc.imports.json', JSON.stringify(importConfig()))
execFileSync('node_modules/.bin/oxfmt', ['ARCHITECTURE.md', '.oxlintrc.imports.json'])
