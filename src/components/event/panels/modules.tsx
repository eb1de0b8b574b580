import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { countedNoun } from '#numbers/number-text.ts'

/** The loaded packages, collapsed, because there can be hundreds. */
export function ModulesPanel({ modules }: { modules: readonly (readonly [string, string])[] }) {
  return (
    <Disclosure summary={countedNoun(modules.length, 'package')}>
      <DefinitionList
        items={modules.map(([name, version]) => ({
          term: name,
          description: <bdi className="mono">{version}</bdi>,
        }))}
      />
    </Disclosure>
  )
}
