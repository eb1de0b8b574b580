import type { Choice } from '#components/ui/form/select-field.tsx'

/** The platforms of projects; each value is the name of a setup guide. */
export const platformChoices: readonly Choice[] = [
  { value: '', label: 'Not set' },
  { value: 'javascript', label: 'JavaScript in the browser' },
  { value: 'react', label: 'React' },
  { value: 'vue', label: 'Vue' },
  { value: 'tanstackstart', label: 'TanStack Start' },
  { value: 'nextjs', label: 'Next.js' },
  { value: 'node', label: 'Node.js' },
  { value: 'python', label: 'Python' },
  { value: 'php', label: 'PHP' },
  { value: 'ruby', label: 'Ruby' },
  { value: 'java', label: 'Java or Kotlin' },
  { value: 'csharp', label: '.NET' },
  { value: 'go', label: 'Go' },
  { value: 'rust', label: 'Rust' },
  { value: 'native', label: 'C or C++' },
  { value: 'cocoa', label: 'Apple' },
  { value: 'dart', label: 'Dart or Flutter' },
  { value: 'other', label: 'Something else' },
]

/** The choices, including the project's own platform if it is not in the list. */
export function platformChoicesFor(platform: string): readonly Choice[] {
  return platformChoices.some(({ value }) => value === platform)
    ? platformChoices
    : [...platformChoices, { value: platform, label: platform }]
}
