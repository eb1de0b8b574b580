import { Field } from '#components/ui/form/field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { TextAreaField } from '#components/ui/form/text-area-field.tsx'
import type { DestinationFieldView } from '#server/console/alerts/views.ts'

interface DestinationFieldsProps {
  fields: readonly DestinationFieldView[]
  values?: Readonly<Record<string, string>>
  /** Unique on the page. */
  idPrefix: string
  isStored?: boolean
}

/**
 * The fields of a channel's settings. `isStored`: an empty secret field keeps the stored secret, an optional
 * one only for the same address.
 */
export function DestinationFields({ fields, values, idPrefix, isStored = false }: DestinationFieldsProps) {
  const hasAddress = fields.some(({ kind, isSecret }) => kind === 'url' && isSecret !== true)
  return fields.map((field) => {
    const { name, help, kind, isSecret, isOptional, choices, example } = field
    const common = {
      name: `setting-${name}`,
      id: `${idPrefix}-${name}`,
      label: isOptional === true ? `${field.label} (optional)` : field.label,
      hint: isSecret === true && isStored ? `${help} ${emptyHint(hasAddress && isOptional)}` : help,
      defaultValue: values?.[name] ?? '',
    }
    if (kind === 'choice') {
      const options = (choices ?? []).map((value) => ({ value, label: value }))
      return <SelectField key={name} {...common} choices={options} />
    }
    if (kind === 'json') return <TextAreaField key={name} {...common} rows={4} />
    return (
      <Field
        key={name}
        {...common}
        type={kind === 'text' ? 'text' : kind}
        placeholder={example}
        required={isOptional !== true && !(isSecret === true && isStored)}
        autoComplete="off"
      />
    )
  })
}

function emptyHint(isDropped = false): string {
  return isDropped
    ? 'Leave empty to keep the stored value; another address drops it.'
    : 'Leave empty to keep the stored value.'
}
