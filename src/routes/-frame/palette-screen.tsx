import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { listFoundGroups } from '#components/keyboard/found-groups.tsx'
import { bestScore, fuzzyScore } from '#components/keyboard/fuzzy-match.ts'
import { matchInnerScreens } from '#components/keyboard/inner-screens.ts'
import { lookUps, searches } from '#components/keyboard/look-up-entries.ts'
import { Palette, type PaletteEntry, type PaletteGroup } from '#components/keyboard/palette.tsx'
import { useRested } from '#components/keyboard/rested-text.ts'
import {
  listActions,
  listScreens,
  type PageCommand,
  pressControl,
} from '#navigation/keyboard/page-controls.ts'
import { findKeys } from '#navigation/keyboard/shortcuts.ts'
import type { TypeAhead } from '#navigation/keyboard/type-ahead.ts'
import { paletteQuery } from '#queries/palette.ts'

interface PaletteScreenProps {
  canConfigure: boolean
  typeAhead: TypeAhead
  onClose: () => void
}

/** The command palette: commands of the page click its controls, all other entries are links. */
export function PaletteScreen({ canConfigure, typeAhead, onClose }: PaletteScreenProps) {
  const router = useRouter()
  const [text, setText] = useState(() => typeAhead.take())
  useEffect(() => typeAhead.show(), [typeAhead])
  const [commands] = useState(listCommands)
  const rested = useRested(text.trim())
  const { data, isError } = useQuery(paletteQuery(rested))

  function choose({ id, href }: PaletteEntry): void {
    onClose()
    const control = commands.find((command) => command.id === id)?.control
    // The page behind the dialog cannot be focused before the next frame.
    if (control !== undefined) requestAnimationFrame(() => pressControl(control))
    else if (href !== undefined) void router.navigate({ href })
  }

  const actions = match(commands, text, 'action')
  const screens = [...match(commands, text, 'screen'), ...matchInnerScreens(text, canConfigure)]
  const local = [
    { title: 'On this page', entries: actions },
    { title: 'Go to', entries: screens },
  ]
  const groups: PaletteGroup[] = [
    { title: 'Look up', entries: lookUps(text.trim()) },
    // Enter opens the settings for "set", not "Search on this page", which only has these letters.
    ...(bestScore(text, screens) > bestScore(text, actions) ? local.toReversed() : local),
    ...listFoundGroups(data),
    { title: 'Search', entries: searches(text.trim()) },
  ]
  return (
    <Palette
      text={text}
      onText={setText}
      groups={groups}
      onChoose={choose}
      {...(isError && { note: 'Couldn’t search issues and projects. Try again in a moment.' })}
    />
  )
}

interface CommandEntry extends PaletteEntry {
  kind: 'action' | 'screen'
  control: HTMLElement
}

function listCommands(): CommandEntry[] {
  const toEntry = (kind: CommandEntry['kind']) => (command: PageCommand) => ({
    id: `${kind}-${command.name}-${command.text}`,
    kind,
    control: command.control,
    text: command.text,
    keys: findKeys(command.name),
  })
  const entries = [...listActions().map(toEntry('action')), ...listScreens().map(toEntry('screen'))]
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()]
}

function match(commands: readonly CommandEntry[], text: string, kind: CommandEntry['kind']): CommandEntry[] {
  const scored = commands.flatMap((command) => {
    const score = command.kind === kind ? fuzzyScore(text, command.text) : undefined
    return score === undefined ? [] : [{ command, score }]
  })
  return scored.toSorted((a, b) => b.score - a.score).map(({ command }) => command)
}
