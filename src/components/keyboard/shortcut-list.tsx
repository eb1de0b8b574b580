/** A group of shortcuts under a heading. */
export interface ShortcutGroup {
  title: string
  shortcuts: readonly { text: string; keys: readonly string[] }[]
}

/** Every shortcut with its keys. `isOn` is false if the user turned off single keys. */
export function ShortcutList({ groups, isOn }: { groups: readonly ShortcutGroup[]; isOn: boolean }) {
  return (
    <>
      <p className="quiet">
        {isOn ? 'Shortcuts work when you’re not in a text field. ' : 'Single-key shortcuts are off. '}
        <a href="/settings#keyboard">{isOn ? 'Turn off' : 'Turn on'}</a>
      </p>
      <div className="shortcut-groups">
        {groups.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl className="shortcut-list">
              {shortcuts.map(({ text, keys }) => (
                <div key={text}>
                  <dt>{text}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </>
  )
}

/** The keys of a shortcut, pressed one after the other. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className="keys">
      {keys.map((key, index) => (
        <kbd key={index}>{key}</kbd>
      ))}
    </span>
  )
}
