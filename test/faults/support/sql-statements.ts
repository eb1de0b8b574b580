/**
 * The statements of a migration. The last line of each starts in the first column and ends with a semicolon;
 * lines of a trigger's body are indented.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let lines: string[] = []
  for (const line of sql.split('\n')) {
    lines.push(line)
    if (!/^\S.*;$/.test(line)) continue
    statements.push(lines.join('\n'))
    lines = []
  }
  const rest = lines.join('\n')
  return rest.trim() === '' ? statements : [...statements, rest]
}
