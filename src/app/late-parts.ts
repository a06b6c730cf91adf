import type { Definitions } from '../container/index.ts'
import type { SessionParts } from '../context/internal.ts'
import { ViewEngine } from '../view/index.ts'
import type { Configuration } from './app-configuration.ts'
import { readSentences } from '../core/internal.ts'
import { errorPages } from './late-errors.ts'
import { readyLanguages } from './late-languages.ts'
import type { ConfiguredModule } from './module-configuration.ts'
import type { ResponseWatch } from './response-watch.ts'
import type { SessionCommit } from './session-commit.ts'
import type { OutgoingBand } from './outgoing-band.ts'
import { loadSessions } from './session-services.ts'
import type { renderView } from './template-data.ts'
import type { withinTime } from './time-limit.ts'

/** Code that only some applications need, loaded at boot, so that requests need not wait for it. */
export interface LateParts {
  /** What sessions are made of; null where each use of a session is refused. */
  readonly sessions: SessionParts | null
  /** Renders views; null without a template engine. */
  readonly renderView: typeof renderView | null
  /** Keeps sessions; null without any. */
  readonly SessionCommit: typeof SessionCommit | null
  /** Runs the outgoing band; null where it is empty. */
  readonly OutgoingBand: typeof OutgoingBand | null
  /** Watches responses; null when no hook listens. */
  readonly ResponseWatch: typeof ResponseWatch | null
  /** Limits the time of actions; null without a limit. */
  readonly withinTime: typeof withinTime | null
  /** Makes pages of errors; null where the first error loads it, because the application has no page of its own. */
  readonly errorPages: Awaited<ReturnType<typeof errorPages>> | null
}

/**
 * Loads what an application needs.
 *
 * @param definitions What it has registered.
 * @param configuration Its configuration.
 * @param modules Its modules.
 * @returns The code.
 */
export async function loadParts(
  definitions: Definitions,
  { locales, debug, errorTemplate, errorRenderer, hooks, limits, bands }: Configuration,
  modules: readonly ConfiguredModule[],
): Promise<LateParts> {
  const hasViews = definitions.values().has(ViewEngine)
  const hasErrorPages =
    debug ||
    errorTemplate !== null ||
    errorRenderer !== null ||
    modules.some(({ renderer }) => renderer !== null)
  if (locales.length > 1) await readyLanguages()
  if (debug) await readSentences()
  const sessions = await loadSessions(definitions)
  return {
    sessions,
    SessionCommit: sessions === null ? null : (await import('./session-commit.ts')).SessionCommit,
    OutgoingBand:
      bands.close().outgoing.length > 0 ? (await import('./outgoing-band.ts')).OutgoingBand : null,
    ResponseWatch: hooks.listensToResponses ? (await import('./response-watch.ts')).ResponseWatch : null,
    withinTime: limits.handlerMilliseconds === Infinity ? null : (await import('./time-limit.ts')).withinTime,
    renderView: hasViews ? (await import('./template-data.ts')).renderView : null,
    errorPages: hasErrorPages ? await errorPages() : null,
  }
}
