/** A field of a form: the last of its name; empty if there is none. */
export function fieldOf(form: FormData, name: string): string {
  const last = form.getAll(name).at(-1)
  return typeof last === 'string' ? last : ''
}

/** All fields of one name. */
export function fieldsOf(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === 'string')
}
