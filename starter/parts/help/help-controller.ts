import { NotFoundException } from 'sallyport/http'
import { type Actions, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { LANGUAGE_NAMES, LANGUAGES } from '../../core/messages/language.ts'
import { PageController } from '../../core/pages/page-controller.ts'

/** A page of the help. */
interface HelpTopic {
  /** Message of its title. */
  readonly title: string
  /** Messages of its paragraphs. */
  readonly paragraphs: readonly string[]
}

// What there is help about, by its name in the URL.
const HELP_TOPICS: ReadonlyMap<string, HelpTopic> = new Map([
  [
    'signing-in',
    {
      title: 'help.signing-in.title',
      paragraphs: ['help.signing-in.1', 'help.signing-in.2', 'help.signing-in.3'],
    },
  ],
  [
    'lost-device',
    {
      title: 'help.lost-device.title',
      paragraphs: ['help.lost-device.1', 'help.lost-device.2', 'help.lost-device.3'],
    },
  ],
  [
    'programs',
    {
      title: 'help.programs.title',
      paragraphs: ['help.programs.1', 'help.programs.2', 'help.programs.3'],
    },
  ],
])

/** Help, in the language that the URL names: a link to it is the same page for everybody. */
export class HelpController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<HelpController> = {
    index: [],
    list: [param.string('locale')],
    topic: [param.string('locale'), param.string('topic')],
  }

  /** @returns A redirect to the help in the language of the visitor; temporary, because another visitor has another one. */
  index(): Response {
    return this.redirectToRoute('site:help', { locale: this.context.locale() }, 302)
  }

  /** @returns The list of topics. */
  list(_locale: string): View {
    const topics = [...HELP_TOPICS].map(([name, { title }]) => ({ name, title }))
    return this.#page('help::list', { title: 'help.title', topics }, (locale) =>
      this.context.url('site:help', { locale }),
    )
  }

  /**
   * @returns The page about it.
   * @throws {NotFoundException} If there is no such topic.
   */
  topic(_locale: string, topic: string): View {
    const found = HELP_TOPICS.get(topic)
    if (found === undefined) throw new NotFoundException()
    return this.#page('help::topic', { ...found }, (locale) =>
      this.context.url('site:help-topic', { locale, topic }),
    )
  }

  // The choice of a language in the foot is for pages whose URL names none. These have links to each other.
  #page(
    template: string,
    data: Readonly<Record<string, unknown>> & { readonly title: string },
    urlIn: (locale: string) => string,
  ): View {
    const languages = LANGUAGES.map((tag) => ({ tag, name: LANGUAGE_NAMES[tag], url: urlIn(tag) }))
    const link = languages.map(({ tag, url }) => `<${url}>; rel="alternate"; hreflang="${tag}"`).join(', ')
    return this.page(
      template,
      { ...data, here: this.context.url('site:any-help'), versions: languages },
      { headers: { link } },
    )
  }
}
