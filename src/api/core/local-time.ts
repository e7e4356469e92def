/** Times as a business reads them; facts are told in them too, so they are at home where the events are. */
export * from '../../events/core/local-time.js';
