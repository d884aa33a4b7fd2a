// Vault's own transit engine behind the part of its HTTP API that the tests speak. What the engine
// does and how its errors become statuses is Vault's code; mounting, tokens and the login are not.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/hashicorp/vault/builtin/logical/transit"
	"github.com/hashicorp/vault/sdk/framework"
	"github.com/hashicorp/vault/sdk/logical"
)

type server struct {
	engine  logical.Backend
	storage logical.Storage
	mu      sync.Mutex
	// Good tokens; a login adds one, and /test/expire ends those that it added.
	tokens map[string]bool
	logins int
}

func main() {
	address, rootToken := os.Args[1], os.Args[2]
	storage := &logical.InmemStorage{}
	config := &logical.BackendConfig{StorageView: storage, System: &logical.StaticSystemView{}, BackendUUID: "test"}
	engine, err := transit.Backend(context.Background(), config)
	if err != nil {
		panic(err)
	}
	// The released SDK asks for a check that this release's own copy did not: what is there is updated.
	for _, path := range engine.Paths {
		if path.ExistenceCheck == nil {
			path.ExistenceCheck = func(context.Context, *logical.Request, *framework.FieldData) (bool, error) { return true, nil }
		}
	}
	if err := engine.Setup(context.Background(), config); err != nil {
		panic(err)
	}
	s := &server{engine: engine, storage: storage, tokens: map[string]bool{rootToken: true}}
	panic(http.ListenAndServe(address, s))
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body := map[string]interface{}{}
	_ = json.NewDecoder(r.Body).Decode(&body)
	path := strings.TrimPrefix(r.URL.Path, "/v1/")
	switch {
	case path == "auth/kubernetes/login":
		if body["role"] != "manilla" || body["jwt"] != "a token of the service account" {
			answer(w, 400, map[string]interface{}{"errors": []string{"invalid role or token"}})
			return
		}
		s.logins++
		token := fmt.Sprintf("login-%d", s.logins)
		s.tokens[token] = true
		answer(w, 200, map[string]interface{}{"auth": map[string]string{"client_token": token}})
	case !s.tokens[r.Header.Get("X-Vault-Token")]:
		answer(w, 403, map[string]interface{}{"errors": []string{"permission denied"}})
	case path == "test/expire":
		for token := range s.tokens {
			if strings.HasPrefix(token, "login-") {
				delete(s.tokens, token)
			}
		}
		w.WriteHeader(204)
	case strings.HasPrefix(path, "transit/"):
		s.transit(w, r, strings.TrimPrefix(path, "transit/"), body)
	default:
		answer(w, 404, map[string]interface{}{"errors": []string{}})
	}
}

func (s *server) transit(w http.ResponseWriter, r *http.Request, path string, body map[string]interface{}) {
	request := &logical.Request{Operation: logical.ReadOperation, Path: path, Data: body, Storage: s.storage}
	if r.Method != http.MethodGet {
		request.Operation = logical.UpdateOperation
		found, exists, err := s.engine.HandleExistenceCheck(r.Context(), request)
		if err == nil && found && !exists {
			request.Operation = logical.CreateOperation
		}
	}
	response, err := s.engine.HandleRequest(r.Context(), request)
	status, err := logical.RespondErrorCommon(request, response, err)
	if status != 0 {
		messages := []string{}
		if err != nil {
			messages = append(messages, err.Error())
		}
		answer(w, status, map[string]interface{}{"errors": messages})
		return
	}
	if response == nil {
		w.WriteHeader(204)
		return
	}
	answer(w, 200, map[string]interface{}{"data": response.Data})
}

func answer(w http.ResponseWriter, status int, content interface{}) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(content)
}
