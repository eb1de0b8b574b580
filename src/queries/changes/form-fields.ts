/** The fields of a form by name: of several of one name the last, but for `lists`, of which all. */
export function formFields(form: FormData, lists: readonly string[] = []): Record<string, unknown> {
  return {
    ...Object.fromEntries(form),
    ...Object.fromEntries(lists.map((name) => [name, form.getAll(name)])),
  }
}
