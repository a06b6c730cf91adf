import { NotFoundException } from 'sallyport/http'
import { type Actions, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { LANGUAGE_NAMES, LANGUAGES } from '../../core/messages/language.ts'
import { PageController } from '../../core/pages/page-controller.ts'

// What there is help about, by its name in the URL: each has a title and three paragraphs, such as `help.signing-in.1`.
const TOPICS: readonly string[] = ['signing-in', 'lost-device']
const PARAGRAPHS = [1, 2, 3]

/** Help, in the language that the URL names: a link to it is the same page for everybody. */
export class HelpController extends PageController {
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
    const topics = TOPICS.map((name) => ({ name, title: `help.${name}.title` }))
    return this.#page('help::list', { title: 'help.title', topics }, (locale) =>
      this.context.url('site:help', { locale }),
    )
  }

  /** @throws {NotFoundException} If there is no such topic. */
  topic(_locale: string, topic: string): View {
    if (!TOPICS.includes(topic)) throw new NotFoundException()
    const paragraphs = PARAGRAPHS.map((number) => `help.${topic}.${number}`)
    return this.#page('help::topic', { title: `help.${topic}.title`, paragraphs }, (locale) =>
      this.context.url('site:help-topic', { locale, topic }),
    )
  }

  // The choice of a language in the foot is for pages whose URL names none. These have links to each other.
  #page(
    template: string,
    data: Readonly<Record<string, unknown>> & { readonly title: string },
    urlIn: (locale: string) => string,
  ): View {
    const versions = LANGUAGES.map((tag) => ({ tag, name: LANGUAGE_NAMES[tag], url: urlIn(tag) }))
    const link = versions.map(({ tag, url }) => `<${url}>; rel="alternate"; hreflang="${tag}"`).join(', ')
    const here = this.context.url('site:any-help')
    return this.page(template, { ...data, here, versions }, { headers: { link } })
  }
}
