import type { Definitions } from '../container/index.ts'
import type { SessionParts } from '../context/internal.ts'
import { ViewEngine } from '../view/index.ts'
import type { Configuration } from './app-configuration.ts'
import { readyLanguages } from './late-languages.ts'
import { loadSessions } from './session-services.ts'
import type { renderView } from './template-data.ts'

/** Code that only some applications need, loaded at boot, so that requests need not wait for it. */
export interface LateParts {
  /** What sessions are made of; null where each use of a session is refused. */
  readonly sessions: SessionParts | null
  /** Renders views; null without a template engine. */
  readonly renderView: typeof renderView | null
}

/**
 * Loads what an application needs.
 *
 * @param definitions What it has registered.
 * @param configuration Its configuration.
 * @returns The code.
 */
export async function loadParts(
  definitions: Definitions,
  { locales }: Pick<Configuration, 'locales'>,
): Promise<LateParts> {
  const hasViews = definitions.values().has(ViewEngine)
  if (locales.length > 1) await readyLanguages()
  return {
    sessions: await loadSessions(definitions),
    renderView: hasViews ? (await import('./template-data.ts')).renderView : null,
  }
}
