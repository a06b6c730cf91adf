import { randomBytes } from '../core/internal.ts'
import type { FlashMessage, HttpContext } from '../context/index.ts'
import { Csrf } from '../csrf/index.ts'
import type { MessageValues } from '../i18n/internal.ts'
import type { Translator } from '../i18n/index.ts'
import type { UrlParams } from '../routing/index.ts'
import type { UncheckedUrls } from '../routing/internal.ts'
import type { AssetUrls } from './asset-urls.ts'
import type { View, ViewEngine } from '../view/index.ts'
import { assertNoPromises } from '../view/internal.ts'

/** The value of `auth` in templates. */
class TemplateAuthentication {
  readonly #context: HttpContext

  constructor(context: HttpContext) {
    this.#context = context
  }

  get isAuthenticated(): boolean {
    return this.#context.auth().isAuthenticated()
  }

  get principal(): object | null {
    const auth = this.#context.auth()
    return auth.isAuthenticated() ? auth.principal() : null
  }

  allows(permission: string): boolean {
    return this.#context.auth().allows(permission)
  }
}

/**
 * The value of `csrf` in templates. `csrf.token` must be a string. If the session has not been read, its secret may first
 * have to be fetched from a store: the template receives a random placeholder, which is replaced after rendering. A page
 * that does not use the token opens no session.
 */
class TemplateCsrf {
  readonly fieldName: string = Csrf.fieldName
  readonly #context: HttpContext
  #token: string | null = null
  #mark: string | null = null

  constructor(context: HttpContext) {
    this.#context = context
  }

  get token(): string {
    if (this.#mark !== null) return this.#mark
    this.#token ??= this.#context.csrf().knownToken()
    return this.#token ?? (this.#mark = randomBytes(24).toString('hex'))
  }

  /** Replaces the placeholder; a promise only if there is one. */
  fill(page: string): string | Promise<string> {
    const mark = this.#mark
    if (mark === null) return page
    return this.#context
      .csrf()
      .token()
      .then((token) => page.replaceAll(mark, token))
  }
}

/** The value of `csp` in templates. */
class TemplatePolicy {
  readonly #context: HttpContext

  constructor(context: HttpContext) {
    this.#context = context
  }

  get nonce(): string {
    return this.#context.cspNonce()
  }
}

/** The value of `flash` in templates. */
class TemplateFlash {
  readonly #context: HttpContext

  constructor(context: HttpContext) {
    this.#context = context
  }

  take(): Promise<readonly FlashMessage[]> {
    return this.#context.flash().take()
  }
}

/** The value of `$i18n` in templates. */
class TemplateMessages {
  readonly #context: HttpContext
  readonly #translator: Translator

  constructor(context: HttpContext, translator: Translator) {
    this.#context = context
    this.#translator = translator
  }

  get locale(): string {
    return this.#context.locale()
  }

  t(id: string, values?: MessageValues, fallback?: string): string {
    const locale = this.#context.locale()
    if (!values) return this.#translator.translate(locale, fallback ? { id, fallback } : { id })
    assertNoPromises(`translate "${id}" with`, values)
    return this.#translator.translate(locale, fallback ? { id, values, fallback } : { id, values })
  }
}

/** What renders the views of a request. */
export interface ViewServices {
  /** The engine. */
  readonly engine: ViewEngine
  /** Messages. */
  readonly translator: Translator
  /** The assets of all modules. */
  readonly assets: AssetUrls
}

/**
 * Renders a view. The reserved names take precedence over data of the same name.
 *
 * @param view The view.
 * @param context Context of the request.
 * @param services Engine and messages.
 * @returns The page.
 * @throws {Error} If the template is missing or fails.
 */
export async function renderView(view: View, context: HttpContext, services: ViewServices): Promise<string> {
  const csrf = new TemplateCsrf(context)
  // Instances of classes: an object literal with a getter makes V8 keep the whole request until the next major collection.
  const page = await services.engine.render(view.template, {
    ...view.data,
    auth: new TemplateAuthentication(context),
    csrf,
    csp: new TemplatePolicy(context),
    flash: new TemplateFlash(context),
    $url: (name: string, params?: UrlParams, locale?: string) =>
      (context as UncheckedUrls).url(name, params, locale),
    $asset: (name: string) => services.assets.url(name),
    $i18n: new TemplateMessages(context, services.translator),
  })
  return csrf.fill(page)
}
