import type { OwnershipSettings } from '#server/store/projects/settings.ts'

/** The ownership of a project as text. */
export function toOwnershipReport({ rules, codeOwners, isAutoAssigned }: OwnershipSettings): string {
  const assigned = isAutoAssigned ? 'to their first owner' : 'manually'
  return `${toPart('Rules', rules)}${toPart('CODEOWNERS', codeOwners)}New issues are assigned ${assigned}.\n`
}

function toPart(title: string, text: string): string {
  return `${title}\n${text === '' ? '  (none)' : text}\n\n`
}
