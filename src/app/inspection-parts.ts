import type { Container } from '../container/internal.ts'
import { readSentences } from '../core/internal.ts'
import { Locales } from '../i18n/internal.ts'
import { type InspectedParts, Inspection } from '../inspection/internal.ts'
import type { Router } from '../routing/index.ts'
import { type TemplateSource, ViewEngine } from '../view/index.ts'
import type { Kernel } from './kernel.ts'
import { Messages } from './messages.ts'
import { trialBuild } from './trial-build.ts'

/**
 * Makes the inspection of routes, which no request in production needs.
 *
 * @param application A booted application.
 * @returns The inspection of its routes, templates and controllers.
 */
export async function inspectionOf({
  router,
  container,
  kernel,
}: {
  readonly router: Router
  readonly container: Container
  readonly kernel: Kernel
}): Promise<Inspection> {
  // It takes messages of errors apart.
  await readSentences()
  const messages = new Messages(container)
  await messages.ready()
  return new Inspection(router.model(), {
    templates: () => templatesOf(container),
    messages: () => messagesOf(container, messages),
    trial: trialBuild(kernel, container),
  })
}

function messagesOf(container: Container, { translator }: Messages): ReturnType<InspectedParts['messages']> {
  return container
    .get(Locales)
    .declared.map((locale) => ({ locale, catalogue: translator?.catalogue(locale) ?? {} }))
}

function templatesOf(container: Container): readonly TemplateSource[] {
  const engine: Partial<ViewEngine> | null = container.has(ViewEngine) ? container.get(ViewEngine) : null
  // What is registered may be any object that renders.
  return engine?.templates?.() ?? []
}
