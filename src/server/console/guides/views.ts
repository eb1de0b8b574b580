/** A guide in a list. */
export interface GuideLink {
  /** Of its address: `alerts` in `/docs/alerts`. */
  name: string
  title: string
}

/** A guide that a search found, or a heading in it. */
export interface GuideMatch extends GuideLink {
  section?: { id: string; title: string }
}

/** A page of the documentation. */
export interface GuideView extends GuideLink {
  nodes: GuideNode[]
  /** Headings of the second level, as links to their places. */
  sections: { id: string; title: string }[]
  /** All guides. */
  groups: GuideGroup[]
}

/** A section of the documentation's index. */
export interface GuideGroup {
  title: string
  /** In the order of the index, with the names that it gives them. */
  guides: GuideLink[]
}

/** A piece of a guide. */
export type GuideNode =
  | { kind: 'text'; text: string }
  | { kind: 'element'; tag: string; id?: string; children: GuideNode[] }
  /** To a page of the web, or to a place of this page (`#…`). */
  | { kind: 'link'; href: string; children: GuideNode[] }
  /** To another guide. */
  | { kind: 'guide'; name: string; hash?: string; children: GuideNode[] }
