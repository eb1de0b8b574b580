/**
 * How the browser's code is split. Each page is a chunk, and so would be each module that several of them
 * share, however small: a screen with the pages that it prefetches would load 57 scripts and style sheets.
 * The groups below put shared modules into one chunk per purpose, and it loads 25. A module that only one
 * page uses (`minShareCount`) belongs to the chunk of that page; a shared one that no group names gets a
 * chunk of its own.
 *
 * `test/e2e/budgets.spec.ts` limits the number and the sizes of the scripts.
 */
export const codeSplitting = {
  includeDependenciesRecursively: false,
  groups: [
    // The content of an event, apart from its page: one chunk would exceed the limit of a page.
    {
      name: 'event-parts',
      test: /src\/components\/(?:stack-trace|breadcrumbs|share|event\/(?:curl|panels\/))/,
    },
    {
      name: 'issue-parts',
      test: /src\/components\/issue\/detail\/(?:header|actions|status-menus|assign-menu|more-menu|tag-)/,
      minShareCount: 2,
    },
    {
      name: 'framework',
      test: /vite\/preload-helper|node_modules\/(?:react|react-dom|scheduler|@tanstack|seroval|seroval-plugins|cookie-es|valibot|use-sync-external-store)\//,
      minShareCount: 2,
    },
    // What every page starts once it is interactive.
    {
      name: 'started',
      test: /src\/(?:queries\/issues\/(?:live-list|live-issue\.|pending-issues)|navigation\/(?:page-visibility|keyboard\/(?!early-input|type-ahead|shortcut-texts)|current-links|live-channel|prefetch\/(?:link|prefetch-queue|start)))/,
    },
    // The first load of every page: without parts of issues, step charts, text areas and tables of dead
    // letters.
    {
      name: 'common',
      test: /app\.config|lucide|src\/(?!.*issue\/detail|.*ui\/(?:chart\/st|letter|form\/text-area))(?:time|protocol|traces\/web-vitals|routes\/-frame|queries|navigation|search|server|components\/(?:ui|issue|layout|project\/(?:environment-select|project-select)))/,
      minShareCount: 2,
    },
    // Parts of settings and other forms.
    {
      name: 'form-parts',
      test: /src\/components\/(?:form|settings|account|project\/(?:settings|platforms)|ui\/form\/text-area)/,
      minShareCount: 2,
    },
    { name: 'monitor-parts', test: /src\/(?:components\/)?monitors?\//, minShareCount: 2 },
    // Parts of all other pages.
    {
      name: 'page-parts',
      test: /src\/(?:alerts|components\/(?:performance|release|ui|outcome|tunnel|alert|project\/(?:arrivals|dsn-line|set-up-link|stored-data|rejected)))/,
      minShareCount: 2,
    },
  ],
}
