// What a user entered before the page was hydrated: the values of fields that differ from those in the HTML.

/** Another option of a select is selected. If the HTML selects none, the browser selects the first. */
export function isSelectEdited(field: Element): boolean {
  if (!(field instanceof HTMLSelectElement)) return false
  const ofHtml = [...field.options].find((option) => option.defaultSelected)
  return ofHtml !== undefined && !ofHtml.selected
}

/** The text of a field is another one, or the state of a checkbox or radio button. */
export function isInputEdited(field: Element): boolean {
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue
  if (!(field instanceof HTMLInputElement)) return false
  return field.value !== field.defaultValue || field.checked !== field.defaultChecked
}
