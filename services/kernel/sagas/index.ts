export { keepingRefusals, runSaga } from "./run-saga.js";
export type { SagaRequest, Started } from "./run-saga.js";
export type { SagaOrigin } from "./saga-origin.js";
export { deadlineOf, identityOf, originOf } from "./saga.js";
export type { DriveContext, SagaBeginning, SagaEnding, SagaIdentity } from "./saga.js";
export { createSagas, isFinalAnswer } from "./sagas.js";
export type { SagaDeps, Sagas } from "./sagas.js";
