import type { AccountSettingsView } from '#server/auth/views.ts'

/** What came back for one of the page's forms. */
export function formOf({ form }: AccountSettingsView, action: string) {
  return form?.values['action'] === action ? form : undefined
}
