import type { ReactNode } from 'react'
import { Badge, type BadgeTone } from '#components/ui/badge.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { CutOverState, CutOverView } from '#server/console/imports/views.ts'
import { CutOverProjects } from './cut-over-projects.tsx'
import { CompareText, ForwardText, ImportText, MoveText, StopText } from './cut-over-texts.tsx'

/** The checklist of a move from another tracker. */
export function CutOver({ cutOver }: { cutOver: CutOverView }) {
  const { states } = cutOver
  return (
    <Panel
      id="cut-over"
      title="Cut-over"
      note={
        <Link to="/docs/$guide" params={{ guide: 'moving' }} hash="cut-over">
          Guide
        </Link>
      }
    >
      <ol className="cut-over">
        <Step state={states.import} title="Import">
          <ImportText cutOver={cutOver} />
        </Step>
        <Step state={states.forward} title="Forward to the old tracker">
          <ForwardText cutOver={cutOver} />
        </Step>
        <Step state={states.move} title="Move the host of the DSNs">
          <MoveText cutOver={cutOver} />
        </Step>
        <Step state={states.compare} title="Compare the counts">
          <CompareText cutOver={cutOver} />
        </Step>
        <Step state={states.stop} title="Stop the old tracker">
          <StopText cutOver={cutOver} />
        </Step>
      </ol>
      <CutOverProjects projects={cutOver.projects} otherCount={cutOver.otherCount} />
    </Panel>
  )
}

const badges: Record<CutOverState, { word: string; tone: BadgeTone }> = {
  done: { word: 'Done', tone: 'success' },
  next: { word: 'Next', tone: 'accent' },
  later: { word: 'Later', tone: 'neutral' },
  problem: { word: 'Problem', tone: 'danger' },
  off: { word: 'Off', tone: 'neutral' },
  ready: { word: 'Ready', tone: 'accent' },
}

function Step({ state, title, children }: { state: CutOverState; title: string; children: ReactNode }) {
  const { word, tone } = badges[state]
  return (
    <li data-state={state}>
      <h3>
        {title} <Badge tone={tone}>{word}</Badge>
      </h3>
      <p>{children}</p>
    </li>
  )
}
