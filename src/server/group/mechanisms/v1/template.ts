import type { Frame } from '#protocol/event.ts'
import { collapseBlanks } from './frame.ts'

/** The contribution of a template engine's error location: the template's name and the failing line. */
export function templateParts(template: Frame | undefined): string[] {
  if (template === undefined) return []
  const parts: string[] = []
  const name = template.filename || template.absPath
  const line = collapseBlanks(template.contextLine ?? '')
  if (name) parts.push(`in ${name}`)
  if (line !== '') parts.push(`line ${line}`)
  return parts
}
