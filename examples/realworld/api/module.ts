import { defineModule } from 'sallyport'
import { Cors } from 'sallyport/middleware'
import { ArticleController } from './article-controller.ts'
import { ApiErrors } from './errors.ts'
import { IdentifyToken, RequireToken } from './tokens.ts'
import { UserController } from './user-controller.ts'

const PAGES_OF_OTHERS = { origins: '*', headers: ['authorization', 'content-type'] } as const

/** The API that the RealWorld specification describes, below `/api`. A cookie opens nothing here. */
export const api = defineModule('Api', (module) =>
  module
    .errors(ApiErrors)
    .middleware(Cors.of(PAGES_OF_OTHERS), IdentifyToken)
    .routes((routes) => {
      routes.post('/users', [UserController, 'register'])
      routes.post('/users/login', [UserController, 'login'])
      routes.get('/profiles/{username}', [UserController, 'profile'])
      routes.get('/articles', [ArticleController, 'list'])
      routes.get('/articles/{slug}', [ArticleController, 'show'])
      routes.get('/articles/{slug}/comments', [ArticleController, 'comments'])
      routes.get('/tags', [ArticleController, 'tags'])
      routes.middleware(RequireToken).group((guarded) => {
        guarded.get('/user', [UserController, 'show'])
        guarded.put('/user', [UserController, 'update'])
        guarded.post('/profiles/{username}/follow', [UserController, 'follow'])
        guarded.delete('/profiles/{username}/follow', [UserController, 'unfollow'])
        guarded.get('/articles/feed', [ArticleController, 'feed'])
        guarded.post('/articles', [ArticleController, 'create'])
        guarded.put('/articles/{slug}', [ArticleController, 'update'])
        guarded.delete('/articles/{slug}', [ArticleController, 'remove'])
        guarded.post('/articles/{slug}/comments', [ArticleController, 'addComment'])
        guarded.delete('/articles/{slug}/comments/{id}', [ArticleController, 'removeComment'])
        guarded.post('/articles/{slug}/favorite', [ArticleController, 'favorite'])
        guarded.delete('/articles/{slug}/favorite', [ArticleController, 'unfavorite'])
      })
    }),
)
