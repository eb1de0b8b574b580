import type { FindingList } from '#server/scrub/finding-list.ts'
import { canBeSecret, type ReadName } from './field-name.ts'

/** Programs whose short options are passwords; those of `mongod` and `mysqld` are other ones. */
const program =
  /(?<![\w-])(curl|sshpass|redis-cli|sqlcmd|(?:mysql|mariadb|mongo)(?:-?(?:admin|binlog|check|dump|export|files|import|restore|sh|show|slap|stat|top))?|(?:docker|podman)(?=["'\s]).{0,40}?["'\s]login|ldap(?:add|compare|delete|exop|modify|modrdn|passwd|search|whoami))(?:\.exe)?(?=["'\s])/g

/** Between the words of a command line, or of its list: `curl -u`, `['curl', '-u']`. */
const gap = String.raw`(?:\s{1,4}|["'],\s{0,4}["'])`
/** Not a variable of a shell, a placeholder or a mark. */
const secret = String.raw`([^\s"',$*%{<[][^\s"']{0,199})`
const word = `["']?${secret}`

function optionOf(names: string, value: string): RegExp {
  return new RegExp(String.raw`(?<=[\s"'])${names}${value}`, 'dg')
}

const separate = `${gap}?${word}`
const separatePassword = optionOf('-p', separate)

/** The option of each program, with the password in its group. */
const options: readonly (readonly [program: string, option: RegExp])[] = [
  [
    'curl',
    optionOf(
      `(?:-[uU]${gap}?|--(?:proxy-)?user(?:${gap}|=))`,
      String.raw`["']?[^\s:"']{0,200}:(?!//)${secret}`,
    ),
  ],
  // A blank would separate the name of a database.
  ['mysql', optionOf('-p', word)],
  ['mariadb', optionOf('-p', word)],
  // Its later options are those of another program: `sshpass -e ssh -p 22`.
  ['sshpass', new RegExp(`^${gap}-p${separate}`, 'dg')],
  ['redis-cli', optionOf('-a', `${gap}${word}`)],
  ['mongo', separatePassword],
  ['docker', separatePassword],
  ['podman', separatePassword],
  ['ldap', optionOf('-w', separate)],
  ['sqlcmd', optionOf('-P', separate)],
]

/** Longer command lines are searched up to this length. */
const longestCommand = 2_000

/** Finds passwords in short options of well-known programs: `curl -u jo:hunter2`, `mysql -phunter2`. */
export function findCommandSecrets(text: string, readName: ReadName, findings: FindingList): void {
  if (!canBeSecret(readName('password'))) return
  let before: { name: string; start: number } | undefined
  findings.search(text, program, ({ 1: name = '' }) => {
    if (before !== undefined) findInCommand(text, { ...before, end: program.lastIndex }, findings)
    before = { name, start: program.lastIndex }
  })
  if (before !== undefined) findInCommand(text, { ...before, end: text.length }, findings)
}

function findInCommand(
  text: string,
  { name, start, end }: { name: string; start: number; end: number },
  findings: FindingList,
): void {
  const option = options.find(([known]) => name.startsWith(known))?.[1]
  if (option === undefined) return
  const command = text.slice(start, Math.min(end, start + longestCommand))
  // Another command follows a line break, a pipe, a semicolon or `&&`.
  const [own = ''] = /^(?:(?!\s&&?\s)[^\r\n|;])*/.exec(command) ?? []
  findings.search(own, option, ({ indices }) => {
    const [from, to] = indices?.[1] ?? [0, 0]
    findings.add(start + from, start + to, 'password')
  })
}
