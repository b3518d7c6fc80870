/** What a call to the engine failed with. `code` is a stable English word, `message` is for developers. */
export class EngineError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
  }
}

/** The value of a result {ok: true, value}; throws EngineError for {ok: false, code, message}. */
export function unwrap(result) {
  if (!result.ok) throw new EngineError(result.code, result.message);
  return result.value;
}
