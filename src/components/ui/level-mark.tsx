import type { Level } from '#protocol/event.ts'

/** The severity as a shape and a colour, with the word for assistive technology or for all. */
export function LevelMark({ level, isNamed = false }: { level: Level; isNamed?: boolean }) {
  return (
    <span className="level" data-level={level} title={isNamed ? undefined : level}>
      <span className={isNamed ? undefined : 'visually-hidden'}>{level}</span>
    </span>
  )
}
