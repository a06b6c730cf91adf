import { randomBytes } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { Csrf } from '../csrf/index.ts'
import type { MessageValues } from '../i18n/internal.ts'
import type { Translator } from '../i18n/index.ts'
import type { UrlParams } from '../routing/index.ts'
import type { UncheckedUrls } from '../routing/internal.ts'
import type { AssetUrls } from './asset-urls.ts'
import type { View, ViewEngine } from '../view/index.ts'

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
 * The value of `csrf` in templates. `csrf.token` must be a string, but the secret may first have to be read from a store. So
 * the template receives a random placeholder, which is replaced after rendering. A page that does not use the token opens no
 * session.
 */
class TemplateCsrf {
  readonly fieldName: string = Csrf.fieldName
  #mark: string | null = null

  get token(): string {
    this.#mark ??= randomBytes(24).toString('hex')
    return this.#mark
  }

  async fill(page: string, csrf: () => Csrf): Promise<string> {
    return this.#mark === null ? page : page.replaceAll(this.#mark, await csrf().token())
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
  const csrf = new TemplateCsrf()
  const page = await services.engine.render(view.template, {
    ...view.data,
    auth: new TemplateAuthentication(context),
    csrf,
    csp: {
      get nonce(): string {
        return context.cspNonce()
      },
    },
    flash: context.flash(),
    $url: (name: string, params?: UrlParams, locale?: string) =>
      (context as UncheckedUrls).url(name, params, locale),
    $asset: (name: string) => services.assets.url(name),
    $i18n: {
      get locale(): string {
        return context.locale()
      },
      t: (id: string, values?: MessageValues, fallback?: string): string =>
        services.translator.translate(context.locale(), {
          id,
          ...(values && { values }),
          ...(fallback && { fallback }),
        }),
    },
  })
  return csrf.fill(page, () => context.csrf())
}
