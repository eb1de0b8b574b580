// What a user entered before the page was hydrated: the values of fields that differ from those in the HTML.

/** The selected option of a select is another one. */
export function isSelectEdited(field: Element): boolean {
  return field instanceof HTMLSelectElement && field.selectedOptions[0]?.defaultSelected === false
}

/** The text of a field is another one, or the state of a checkbox or radio button. */
export function isInputEdited(field: Element): boolean {
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue
  if (!(field instanceof HTMLInputElement)) return false
  return field.value !== field.defaultValue || field.checked !== field.defaultChecked
}
