export { keepingRefusals, runSaga } from "./run-saga.js";
export type { SagaRequest, Started } from "./run-saga.js";
export { deadlineOf, identityOf, originOf } from "./saga.js";
export type { DriveContext, SagaBeginning, SagaEnding, SagaIdentity, SagaOrigin } from "./saga.js";
export { createSagas, isKept } from "./sagas.js";
export type { SagaDeps, Sagas } from "./sagas.js";
