import { Field } from '#components/ui/form/field.tsx'

/** The part of a form that tests the entered values on a stored event. */
export function TryOut() {
  return (
    <div className="try-out">
      <Field
        label="Test on event"
        name="event"
        maxLength={40}
        placeholder="the latest event"
        autoCapitalize="none"
        spellCheck={false}
        hint="Event ID or digest. Nothing is stored."
      />
      <button type="submit" name="action" value="try" className="button">
        Test
      </button>
    </div>
  )
}
